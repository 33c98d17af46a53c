/**
 * Everything that speaks to Redis. Imported where REDIS_URL names one, and nowhere else: its client makes every start
 * longer.
 */
export { dropRedisNamespace, dropRedisReadModel } from "../adapters/store/redis/dropRedisReadModel.js";
export { openRedisProjectionFacts } from "../adapters/store/redis/openRedisProjectionFacts.js";
export { openRedisReadModels } from "../adapters/store/redis/openRedisReadModels.js";
export { openRedisReadModelStores, redisHoldingLimits } from "../adapters/store/redis/openRedisReadModelStores.js";
export { openRedisProjectionErrors } from "../adapters/redis/openRedisProjectionErrors.js";
