import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A check, and how its source reads without it. */
export interface Control {
  readonly check: string
  /** The end of the file's path. */
  readonly file: string
  readonly change: readonly [from: string, to: string]
}

const library = 'oauth4webapi/build/index.js'
const token = 'adapter-oidc/src/logout-token.ts'

/** Every check of sign-ins and logout tokens that stands alone. Algorithms are checked twice, by the adapter and by jose. */
export const controls: readonly Control[] = [
  { check: 'state', file: library, change: ['if (state !== expectedState)', 'if (false)'] },
  { check: '`iss` in the callback', file: library, change: ['if (iss && iss !== as.issuer)', 'if (false)'] },
  {
    check: 'an `iss` that is missing',
    file: library,
    change: ['if (!iss && as.authorization_response_iss_parameter_supported)', 'if (false)'],
  },
  { check: 'nonce', file: library, change: ['if (claims.nonce !== expected)', 'if (false)'] },
  { check: 'issuer', file: library, change: ['if (result.claims.iss !== expected)', 'if (false)'] },
  {
    check: 'audience',
    file: library,
    change: ['else if (result.claims.aud !== expected)', 'else if (false)'],
  },
  { check: 'audiences', file: library, change: ['if (!result.claims.aud.includes(expected))', 'if (false)'] },
  {
    check: 'authorized party',
    file: library,
    change: ['if (claims.azp !== client.client_id)', 'if (false)'],
  },
  { check: 'expiry', file: library, change: ['if (claims.exp <= now - clockTolerance)', 'if (false)'] },
  { check: 'not before', file: library, change: ['if (claims.nbf > now + clockTolerance)', 'if (false)'] },
  {
    check: 'the subject of userinfo',
    file: 'adapter-oidc/src/userinfo.ts',
    change: ['if (named !== subject)', 'if (false)'],
  },
  {
    check: 'signature',
    file: 'adapter-oidc/src/sign-in.ts',
    change: ['await withKeys(asking, (keys) => compactVerify(idToken, keys, { algorithms }))', ''],
  },
  {
    check: 'time of issue',
    file: 'adapter-oidc/src/sign-in.ts',
    change: ['if (iat > latest)', 'if (false)'],
  },
  { check: 'presence', file: 'adapter-oidc/src/sign-in.ts', change: ['if (!isFresh) return', 'return'] },
  { check: 'length of a name', file: 'adapter-oidc/src/claims.ts', change: [' || claim.length > 255', ''] },
  { check: 'type of a logout token', file: token, change: ["typ: 'logout+jwt',", ''] },
  {
    check: 'issuer of a logout token',
    file: token,
    change: ['issuer,\n    audience', 'audience'],
  },
  { check: 'audience of a logout token', file: token, change: ['audience: clientId,', ''] },
  { check: 'expiry of a logout token', file: token, change: ["['exp', 'iat', 'jti']", "['iat', 'jti']"] },
  {
    check: 'time of issue of a logout token',
    file: token,
    change: ['if (iat > check.nowMicros / 1e6 + toleranceSeconds)', 'if (false)'],
  },
  {
    check: 'signature of a logout token',
    file: 'adapter-oidc/src/identity-provider.ts',
    change: ['await withKeys(asking, (keys) => compactVerify(token, keys, { algorithms }))', ''],
  },
  { check: 'nonce of a logout token', file: token, change: ["if ('nonce' in payload)", 'if (false)'] },
  {
    check: 'events of a logout token',
    file: token,
    change: ['if (!isObject(events) || !isObject(events[event]))', 'if (false)'],
  },
  {
    check: 'whom a logout token names',
    file: token,
    change: [' || (subject === undefined && sessionId === undefined)', ''],
  },
]

/** What a process accepts that runs the campaign without one check. */
export async function runControl(control: Control, seed: number): Promise<readonly string[]> {
  const program = join(import.meta.dirname, 'control-process.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    JSON.stringify(control),
    String(seed),
  ])
  return (JSON.parse(stdout) as { violations: readonly string[] }).violations
}
