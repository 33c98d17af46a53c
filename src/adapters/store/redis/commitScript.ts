import { LuaScript } from "../../redis/luaScript.js";

/**
 * One commit of a projection. It is refused where the lease is somebody else's. It is a `checkpointConflict` where the
 * store or the checkpoint is not the one that the commit follows. Otherwise checkpoint, effect, journal and
 * announcement are one step. So a commit that is sent twice, because its answer was lost, counts once.
 *
 * Keys: lease, state, journal, then those of the commands. Values: lease value, store, projection, checkpoint that it
 * follows, new checkpoint, nonce (empty: nothing changes), channel, journal entry (empty: none), entries to keep,
 * landmark (empty: it stays), then the commands, each as the number of its words and the words. The first write is the
 * state's: a server that is out of memory refuses it before anything is half done. Some words are ours: FORGET (the
 * tokens that these groups had), ADD (at the end of an order, unless it is there), REVOKE (what is there, once), ROTATE
 * (the secret of what is there, unless it is that already), LATEST (of two instants), DROP (a session, with the fields
 * that it has elsewhere) and SWEEP (those whose score is as low).
 */
export const commitScript = new LuaScript(`
  local call = redis.call
  local ours = {}
  ours.FORGET = function(from, to)
    for at = from + 2, to do
      local row = call('HGET', ARGV[from], ARGV[at])
      local token = row and string.sub(row, 1, 11)
      if token and call('HGET', ARGV[from + 1], token) == ARGV[at] then call('HDEL', ARGV[from + 1], token) end
    end
  end
  ours.ADD = function(from)
    if call('HSETNX', ARGV[from], ARGV[from + 2], ARGV[from + 3]) == 1 then call('RPUSH', ARGV[from + 1], ARGV[from + 2]) end
  end
  ours.REVOKE = function(from)
    if call('HEXISTS', ARGV[from], ARGV[from + 2]) == 1 then call('HSETNX', ARGV[from + 1], ARGV[from + 2], ARGV[from + 3]) end
  end
  ours.ROTATE = function(from)
    local begun = call('HGET', ARGV[from], ARGV[from + 2])
    if not begun then return end
    local known = cjson.decode(call('HGET', ARGV[from + 1], ARGV[from + 2]) or begun).secretSha256
    if known == ARGV[from + 3] then return end
    local previous = { sha256 = known, endsAt = ARGV[from + 4] }
    call('HSET', ARGV[from + 1], ARGV[from + 2], cjson.encode({ secretSha256 = ARGV[from + 3], previousSecret = previous }))
  end
  ours.LATEST = function(from)
    local known = call('HGET', ARGV[from], ARGV[from + 1])
    if not known or known < ARGV[from + 2] then call('HSET', ARGV[from], ARGV[from + 1], ARGV[from + 2]) end
  end
  local function drop(from, to, id)
    call('ZREM', ARGV[from], id)
    call('HDEL', ARGV[from + 1], id)
    call('LREM', ARGV[from + 2], 1, id)
    for at = from + 5, to do call('HDEL', ARGV[from + 3], ARGV[at] .. ' ' .. id) end
  end
  ours.DROP = function(from, to) drop(from, to, ARGV[from + 4]) end
  ours.SWEEP = function(from, to)
    for _, id in ipairs(call('ZRANGEBYSCORE', ARGV[from], '-inf', ARGV[from + 4])) do drop(from, to, id) end
  end

  if call('GET', KEYS[1]) ~= ARGV[1] then return 'fenced' end
  local state = call('HMGET', KEYS[2], 'store', ARGV[3])
  local checkpoint, version = string.match(state[2] or '0/0-0', '^(%d+)/(.+)$')
  if state[1] ~= ARGV[2] or checkpoint ~= ARGV[4] then return 'checkpointConflict' end

  if ARGV[6] ~= '' then version = string.format('%.0f', tonumber(string.match(version, '^%d+')) + 1) .. '-' .. ARGV[6] end
  call('HSET', KEYS[2], ARGV[3], ARGV[5] .. '/' .. version)
  if ARGV[10] ~= '' then call('HSET', KEYS[2], ARGV[3] .. ':landmark', ARGV[10]) end
  local at = 11
  while at <= #ARGV do
    local last = at + tonumber(ARGV[at])
    local our = ours[ARGV[at + 1]]
    if our then our(at + 2, last) else call(unpack(ARGV, at + 1, last)) end
    at = last + 1
  end
  if ARGV[8] ~= '' then call('XADD', KEYS[3], 'MAXLEN', ARGV[9], version, 'entry', ARGV[8]) end
  call('PUBLISH', ARGV[7], ARGV[3])
  return 'applied'
`);

/**
 * Takes a free namespace, with a new store. Answers with the store and with how far the projection has come. Keys:
 * lease, state. Values: lease value, product, format, id for a new store, projection.
 */
export const initialisationScript = new LuaScript(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'fenced'} end
  local found = redis.call('HMGET', KEYS[2], 'product', 'format', 'store', ARGV[5])
  if not found[1] and not found[3] then
    redis.call('HSET', KEYS[2], 'product', ARGV[2], 'format', ARGV[3], 'store', ARGV[4])
    return {'created', ARGV[4], false}
  end
  if found[1] ~= ARGV[2] or found[2] ~= ARGV[3] then return {'foreign'} end
  return {'found', found[3], found[4]}
`);

/**
 * Removes rows of earlier stores, as long as the store is still the one that asks. Keys: state, then what is to go.
 * Value: the store.
 */
export const sweepScript = new LuaScript(`
  if redis.call('HGET', KEYS[1], 'store') ~= ARGV[1] then return 0 end
  return redis.call('UNLINK', unpack(KEYS, 2))
`);
