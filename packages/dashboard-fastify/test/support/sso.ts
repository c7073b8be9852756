import type { MemoryPerson, MemoryTelling } from '@sotto/test-kit'
import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { startDashboard, type Dashboard, type DashboardOptions, type Owner } from './app.ts'

export const label = 'Example Login'
export const ada: MemoryPerson = {
  subject: 'ada',
  sessionId: 'a session there',
  email: 'ada@example.org',
  emailVerified: true,
  groups: ['staff'],
}

export interface SsoDashboard extends Dashboard {
  /** The cookie of the attempt that an answer has begun. */
  attemptOf(answer: LightMyRequestResponse): string | undefined
  /** Signs the person in where the answer leads, and comes back with the cookies of the browser. */
  comeBack(
    begun: LightMyRequestResponse,
    person?: MemoryPerson,
    as?: Pick<Owner, 'token'>,
    telling?: MemoryTelling,
  ): Promise<LightMyRequestResponse>
  /** From `/login/sso` to the end. */
  signInWith(person?: MemoryPerson, telling?: MemoryTelling): Promise<LightMyRequestResponse>
  /** An owner with a password, who has connected the person. */
  makeConnected(person?: MemoryPerson): Promise<Owner>
  /** An owner without a password, who has taken an invitation with the person. */
  makeInvited(person?: MemoryPerson, email?: string): Promise<Pick<Owner, 'token'>>
}

export async function startSso(t: Test, options: DashboardOptions = {}): Promise<SsoDashboard> {
  const dashboard = await startDashboard(t, { singleSignOn: label, ...options })
  const { memory, get, post, sotto } = dashboard
  const attemptOf: SsoDashboard['attemptOf'] = ({ headers }) =>
    [headers['set-cookie'] ?? []]
      .flat()
      .map((set) => /^((?:__Host-)?sotto-sso-[\w-]{22}=[^;]+);/.exec(set)?.[1])[0]
  const comeBack: SsoDashboard['comeBack'] = async (begun, person = ada, as, telling) => {
    const url = memory.identityProvider.signIn(String(begun.headers.location), person, telling)
    const { pathname, search } = new URL(url)
    const cookies = [attemptOf(begun), as && `sotto=${as.token}`].filter((each) => each !== undefined)
    return get(pathname + search, { headers: { cookie: cookies.join('; ') } })
  }
  return {
    ...dashboard,
    attemptOf,
    comeBack,
    signInWith: async (person, telling) => comeBack(await get('/login/sso'), person, undefined, telling),
    async makeConnected(person) {
      const owner = await dashboard.makeOwner()
      await comeBack(await post('/settings/sign-in/connect', {}, { as: owner }), person, owner)
      return owner
    },
    async makeInvited(person, email = 'invited@example.org') {
      const invitation = await sotto.inviteAccount({ email })
      if (invitation.isErr()) throw new Error(invitation.error.code)
      const answer = await comeBack(await post(`/welcome/${invitation.value.token}/sso`, {}), person)
      return { token: tokenOf(answer) ?? '' }
    },
  }
}

/** The session that an answer begins; `undefined` when it begins none. */
export function tokenOf({ headers }: LightMyRequestResponse): string | undefined {
  return [headers['set-cookie'] ?? []]
    .flat()
    .map((set) => /^(?:__Host-)?sotto=([^;]+);/.exec(set)?.[1])
    .find((token) => token !== undefined)
}
