/** A mutant that may survive. */
export interface Justified {
  readonly path: string
  /** The declaration that contains it. */
  readonly scope: string
  readonly name: string
  /** Why no test can or should notice it. */
  readonly why: string
}

type InFile = Omit<Justified, 'path'>

const attempts: readonly InFile[] = [
  {
    scope: 'linkAttemptLimits',
    name: "`'last'` → another string",
    why: "The only question asked of it is whether it is `'first'`.",
  },
  {
    scope: 'withoutFuture',
    name: '`0` → `0 + 1`',
    why: 'It stands for no lock. A lock that ended a microsecond after 1970 is as good: it is never later than now.',
  },
]

const openSecret: readonly InFile[] = [
  {
    scope: 'attempt',
    name: '`12` → `12 + 1`',
    why: 'The length of the id of an attempt is not promised; more bytes are as unique.',
  },
  {
    scope: 'settle',
    name: '`false` → `true`',
    why: 'Before the result of `update` is there, the decision has run and has set it.',
  },
  {
    scope: 'settle',
    name: '`change.attempts ?? attempts` → `change.attempts`',
    why: '`settleOpen` always returns the attempts; only the type of a change leaves them out.',
  },
]

const takeQuota: readonly InFile[] = [
  {
    scope: 'blockedUntil',
    name: '`0` → `0 + 1`',
    why: 'It stands for a window that does not block, and is compared with the end of the one that does.',
  },
]

const countedSingly =
  'Calls of which the last one just has room, or whose window begins with the first one, are then counted one by one, with the same result.'

const sqliteQuota: readonly InFile[] = [
  ...[
    'inute_count + @calls <= @perMinute AND day_c',
    'D day_count + @calls <= @perDay AND minu',
    'AND minute_start <= @fromMicros AND ${ru',
    ')} AND day_start <= @fromMicros AND ${ru',
  ].map((near) => ({
    scope: 'takeInRunningSql',
    name: `SQL \`<=\` → \`<\` near \`${near}\``,
    why: countedSingly,
  })),
  {
    scope: 'moveToNow',
    name: 'SQL `>` → `>=` near `e_start - @nowMicros > ${minuteMicros} OR d`',
    why: 'A minute that is exactly as far ahead as it is long is then set to where it begins.',
  },
  {
    scope: 'moveToNow',
    name: 'SQL `>` → `>=` near `y_start - @nowMicros > ${dayMicros})`',
    why: 'A day that is exactly as far ahead as it is long is then set to where it begins.',
  },
  ...['et AND (minute_start - @nowMicros > ${minut', 'Micros} OR day_start - @nowMicros > ${dayMi'].map(
    (near) => ({
      scope: 'moveToNow',
      name: `SQL \`-\` → \`+\` near \`${near}\``,
      why: 'A window that is not far ahead is then set to where it begins.',
    }),
  ),
  {
    scope: 'addressIndexed',
    name: "SQL `<` → `<=` near `ress/' AND ${column} < 'address0'`",
    why: 'No bucket has the name `address0`.',
  },
  {
    scope: 'addressIndexed',
    name: "SQL `>=` → `>` near `${column} >= 'address/' AND ${col`",
    why: 'No bucket has the name `address/`: the digest of an address follows.',
  },
  {
    scope: 'createQuota',
    name: 'SQL `ORDER BY day_start` → `` near `ND minute_start <= ? ORDER BY day_start LIMIT ?)`',
    why: 'SQLite finds the buckets by the index on the start of their day, so they come in this order anyway; the clause makes it certain.',
  },
  {
    scope: 'createEviction',
    name: 'SQL `ORDER BY minute_start` → `` near `WEEN ? AND ? ORDER BY minute_start LIMIT ?)`',
    why: 'SQLite finds the buckets by the index on the start of their minute, so they come in this order anyway; the clause makes it certain.',
  },
  {
    scope: 'createEviction',
    name: '`0` → `0 + 1`',
    why: 'The table always has its one row; the type of a query does not know that.',
  },
  {
    scope: 'createEviction',
    name: '`count.get() ?? 0` → `count.get()`',
    why: 'The table always has its one row; the type of a query does not know that.',
  },
]

const groupCommit: readonly InFile[] = [
  {
    scope: '#isMigrated',
    name: '`() => false` returns `undefined`',
    why: 'It is only asked as a condition.',
  },
  {
    scope: '#commitBatch',
    name: 'without `this.#flush()`',
    why: 'The next turn of the event loop runs the writes again, too; this one does it immediately.',
  },
]

const writeTransaction: readonly InFile[] = [
  {
    scope: 'rollBack',
    name: '`this.#db.inTransaction` → `true`',
    why: 'Without a transaction ROLLBACK is an error of SQLite, which is ignored.',
  },
]

const utf8 = 'Node.js takes an empty encoding for UTF-8, and the bytes are the same.'
const wiping = 'It wipes memory that nothing can look into.'
const sameDigits =
  'Two states of a file whose numbers run together to the same digits cannot be made on purpose.'
const fileSystem = 'Every error of the file system has a code; the type of an error does not know that.'
const endOfFile = 'At the end of the file nothing is read, which ends the loop, too.'
const message = 'A message for people, which may change.'

const crypto: readonly Justified[] = (
  [
    [
      'shared/aead',
      'cipherOptions',
      '`{ authTagLength: tagLength }` → `{}`',
      'The tag is cut out with 16 bytes, so a shorter one never gets there; 16 is the default.',
    ],
    [
      'files/file-cipher',
      'cipherOptions',
      '`{ authTagLength: tagLength }` → `{}`',
      'The tag is cut out with 16 bytes, so a shorter one never gets there; 16 is the default.',
    ],
    [
      'files/file-cipher',
      'encrypted',
      '`waiting !== undefined` → `true`',
      'A padded content has a chunk; its type does not know that.',
    ],
    ['files/file-cipher', 'padded', '`>` → `>=` in `missing > 0`', 'A piece without bytes is then added.'],
    ['shared/associated-data', 'bytesOf', "`'utf8'` → another string", utf8],
    ['cipher/digests', 'linkTimePrefix', "`'ascii'` → another string", utf8],
    ['cipher/digests', 'lookupPrefix', "`'ascii'` → another string", utf8],
    ['cipher/digests', 'createLinkDigests', 'without `maskedRandom.fill(0)`', wiping],
    ['cipher/digests', 'createLinkDigests', '`0` → `0 + 1`', wiping],
    [
      'passwords/hash-queues',
      '#remove',
      '`queue?.remove(owner, waiting)` → `queue.remove(owner, waiting)`',
      'A job that waits has a queue; the type of a look-up does not know that.',
    ],
    [
      'passwords/hash-queues',
      '#remove',
      '`queue?.size` → `queue.size`',
      'A job that waits has a queue; the type of a look-up does not know that.',
    ],
    [
      'passwords/waiting-jobs',
      'remove',
      '`jobs?.delete(job)` → `jobs.delete(job)`',
      'A job that waits has an owner; the type of a look-up does not know that.',
    ],
    [
      'passwords/waiting-jobs',
      'takeForPlaceOf',
      '`0` → `0 + 1`',
      'An owner with a single job gives up none.',
    ],
    [
      'passwords/waiting-jobs',
      'takeForPlaceOf',
      '`>` → `>=` in `each[1].size > (most?.[1].size ?? 0)`',
      'Of two owners with as many jobs either may give one up.',
    ],
    [
      'passwords/waiting-jobs',
      'takeForPlaceOf',
      '`latest !== undefined` → `true`',
      'No owner is without a job.',
    ],
    ['shared/hmac', 'createHmacSha256', 'without `message.fill(0)`', wiping],
    ['shared/hmac', 'createHmacSha256', '`0` → `0 + 1`', wiping],
    [
      'passwords/hash-queues',
      'run',
      "`''` → another string",
      'It only has to be one name for all jobs that have no owner.',
    ],
    [
      'keys/key-file-changes',
      'activateKey',
      "`'The key file ${options.path} has no key of this kid.'` → another string",
      message,
    ],
    [
      'keys/key-file-changes',
      'removeKey',
      "`'The active key cannot be removed from the key file ${options.path}.'` → another string",
      message,
    ],
    [
      'keys/key-file-changes',
      'busy',
      "`'Another process is changing the key file ${path}.'` → another string",
      message,
    ],
    ['keys/key-file', 'identityOf', "`'/'` → another string", sameDigits],
    ['keys/key-file', 'errorReason', "`'unknown error'` → another string", fileSystem],
    [
      'keys/key-file',
      'errorReason',
      "`systemErrorCode(error) ?? 'unknown error'` → `systemErrorCode(error)`",
      fileSystem,
    ],
    [
      'keys/key-file',
      'readOpened',
      "`'The key file ${path} is not a file, or is too large.'` → another string",
      message,
    ],
    [
      'keys/key-file',
      'readOpened',
      "`'The key file ${path} is open to others: set its mode to 0600.'` → another string",
      message,
    ],
    ['keys/key-file', 'readWhole', '`<` → `<=` in `at < size`', endOfFile],
    ['keys/key-file', 'readWhole', '`at < size` → `true`', endOfFile],
    [
      'keys/key-file',
      'hasFieldsOnly',
      '`every` → `some` in `names.every((name) => Object.hasOwn(value, name))`',
      'There are as many fields as names, so one is missing when another one is there. What is missing is refused as being of a wrong type.',
    ],
    ['keys/key-file', 'keyFileText', 'without `bytes.fill(0)`', wiping],
    ['keys/key-file', 'keyFileText', '`0` → `0 + 1`', wiping],
    ['keys/key-file', 'readOpened', 'without `bytes.fill(0)`', wiping],
    ['keys/key-file', 'readOpened', '`0` → `0 + 1`', wiping],
    ['keys/key-file', 'keyFrom', 'without `bytes.fill(0)`', wiping],
    ['keys/key-file', 'keyFrom', '`0` → `0 + 1`', wiping],
    ['keys/key-file', 'readKeyFile', "`'There is no key file at ${path}.'` → another string", message],
    [
      'keys/key-ring',
      'ringKeys',
      '`keys.get(activeKid) ?? unreachable()` → `keys.get(activeKid)`',
      'A ring has its active key: `load` has checked it.',
    ],
    [
      'keys/key-ring',
      'unreachable',
      "`function unreachable(): never { throw new TypeError('a rin` does nothing",
      'It is never called.',
    ],
    [
      'keys/key-ring',
      'load',
      "`'The key file ${path} holds another key under a known kid.'` → another string",
      message,
    ],
    [
      'keys/key-ring',
      'load',
      '`known ?? createRingKey({ kid, key, instanceId })` → `createRingKey({ kid, key, instanceId })`',
      'A key that is made again derives the same keys, only later.',
    ],
    ['shared/padding', 'padText', "`'utf8'` → another string", utf8],
    [
      'shared/padding',
      'paddedLength',
      '`<=` → `<` in `byteLength <= least`',
      'The smallest size is a power of two, so both branches give it.',
    ],
    [
      'shared/padding',
      'unpadText',
      '`<` → `<=` in `padded.length < start`',
      'Without a byte after the length it is shorter than the smallest size, which a later line refuses.',
    ],
    [
      'shared/padding',
      'unpadText',
      '`byteLength > padded.length - start` → `false`',
      'A length beyond the end has another padded length, which the next line refuses.',
    ],
    [
      'shared/padding',
      'unpadText',
      '`-` → `+` in `padded.length - start`',
      'A length beyond the end has another padded length, which the next line refuses.',
    ],
    ['passwords/password-hasher', 'argon2', "`'utf8'` → another string", utf8],
    ['passwords/password-hasher', 'argon2', 'without `bytes.fill(0)`', wiping],
    ['passwords/password-hasher', 'argon2', '`0` → `0 + 1`', wiping],
    [
      'keys/ring-key',
      'generationSize',
      '`2_048` → `2_048 + 1`',
      'How many derived keys are cached is not promised.',
    ],
    [
      'keys/ring-key',
      'idMaxLength',
      '`100` → `100 + 1`',
      'Any length will do between that of a UUID and what HKDF takes.',
    ],
    ['secrets/secret-cipher', 'readNote', 'without `noteKey.fill(0)`', wiping],
    ['secrets/secret-cipher', 'readNote', '`0` → `0 + 1`', wiping],
    ['secrets/secret-cipher', 'rebindParts', 'without `content?.fill(0)`', wiping],
    ['secrets/secret-cipher', 'rebindParts', '`0` → `0 + 1`', wiping],
  ] as const
).map(([file, scope, name, why]) => ({
  path: `packages/adapter-node-crypto/src/${file}.ts`,
  scope,
  name,
  why,
}))

/** The surviving mutants of the strict targets, each with its reason. */
export const justified: readonly Justified[] = [
  ...crypto,
  ...within('packages/core/src/shared/attempts.ts', attempts),
  ...within('packages/core/src/secrets/open-secret.ts', openSecret),
  ...within('packages/core/src/quota/take-quota.ts', takeQuota),
  ...within('packages/adapter-sqlite/src/quota/quota.ts', sqliteQuota),
  ...within('packages/adapter-sqlite/src/quota/quota-batches.ts', [
    {
      scope: 'batchCalls',
      name: '`open.size === 0` → `true`',
      why: 'All batches are then closed several times at the end of the turn; once is enough.',
    },
  ]),
  ...within('packages/adapter-sqlite/src/connection/group-commit.ts', groupCommit),
  ...within('packages/adapter-sqlite/src/connection/write-transaction.ts', writeTransaction),
]

function within(path: string, mutants: readonly InFile[]): readonly Justified[] {
  return mutants.map((mutant) => ({ path, ...mutant }))
}

/** The reason of a mutant to survive, if one is given. */
export function reasonOf(mutant: Pick<Justified, 'path' | 'scope' | 'name'>): string | undefined {
  return justified.find(
    ({ path, scope, name }) => path === mutant.path && scope === mutant.scope && name === mutant.name,
  )?.why
}
