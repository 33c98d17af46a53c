/** Everything that speaks to Redis. Imported where REDIS_URL names one, and nowhere else: its client makes every start longer. */
export { dropRedisNamespace, dropRedisReadModel } from "../adapters/readStore/redis/dropRedisReadModel.js";
export { openRedisProjectionFacts } from "../adapters/readStore/redis/openRedisProjectionFacts.js";
export { openRedisReadModels } from "../adapters/readStore/redis/openRedisReadModels.js";
export { openRedisReadModelStores, redisHoldingLimits } from "../adapters/readStore/redis/openRedisReadModelStores.js";
export { openRedisDecisions } from "../adapters/redis/openRedisDecisions.js";
export { openRedisLiveLoads } from "../adapters/redis/openRedisLiveLoads.js";
export { openRedisTroubles } from "../adapters/redis/openRedisTroubles.js";
