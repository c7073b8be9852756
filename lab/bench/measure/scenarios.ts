import { createRequests, get, getPage, keyedCreateRequests, openRequests } from '../load/requests.ts'
import type { Store } from '../stores/store.ts'

/** The server that a scenario measures. */
export type Subject = 'small' | 'large' | 'strict' | 'straight' | 'metered' | 'piped' | 'socket'

export interface Scenario<Name extends string = Subject> {
  /** The report finds it by this name, which is the same for both stores. */
  readonly name: string
  readonly title: string
  readonly subject: Name
  readonly connections: readonly number[]
  readonly requests: readonly string[]
  readonly expect: number
  /** Text that every answer must contain. */
  readonly contains?: string
}

const token = 'sotto_0123456789012345678901234567890123456789012345'

/** @param subject the small store, for all figures; or the large one, for the cost of its size */
export function storeScenarios(subject: 'small' | 'large', store: Store): Scenario[] {
  const [ten, thousand, many] = store.members
  const list = (member: typeof ten) => [get('/api/secrets', member?.token)]
  const ids = thousand?.secretIds ?? []
  const scenarios = [
    { name: 'create', title: 'create', requests: createRequests(store.creators), expect: 201 },
    {
      name: 'createKeyed',
      title: 'the same, with an idempotency key',
      requests: keyedCreateRequests(store.creators),
      expect: 201,
    },
    {
      name: 'get',
      title: 'get one secret',
      requests: ids.map((id) => get(`/api/secret/${id}`, thousand?.token)),
      expect: 200,
    },
    { name: 'list10', title: 'list of 10', requests: list(ten), expect: 200 },
    { name: 'list50', title: 'list of 50', requests: list(store.owner), expect: 200 },
    { name: 'list1000', title: 'list of 1,000', requests: list(thousand), expect: 200 },
    {
      name: 'folders',
      title: '10 folders with 1,000 secrets',
      requests: [get('/api/folders', thousand?.token)],
      expect: 200,
    },
    { name: 'open', title: 'open without password', requests: openRequests(store.links, false), expect: 200 },
    {
      name: 'openNotify',
      title: 'the same, with notify',
      requests: openRequests(store.notifyingLinks, false),
      expect: 200,
    },
    { name: '401', title: 'unknown token (401)', requests: [get('/api/folders', token)], expect: 401 },
    // A store of an earlier run may be used again, but its sessions have ended by then.
    ...(subject === 'large'
      ? []
      : [
          {
            name: 'page40',
            title: "owner's page of 40, of 50 secrets",
            requests: [getPage('/dashboard', store.owner.sessionToken)],
            expect: 200,
          },
        ]),
    ...(many === undefined
      ? []
      : [
          {
            name: 'foldersMany',
            title: `10 folders with ${many.secrets.toLocaleString('en')} secrets`,
            requests: [get('/api/folders', many.token)],
            expect: 200,
          },
        ]),
  ]
  return scenarios.map((scenario) => ({
    ...scenario,
    subject,
    connections: subject === 'small' ? allConnections(scenario.name) : [64],
  }))
}

/** What differs about the servers that get some of the requests of the small store's. */
const differences = {
  straight: 'straight line',
  metered: 'with metrics',
  piped: 'log to a pipe',
  socket: "log to a socket, as journald's",
} as const

/** The requests that matter most, to another server on a store of its own. */
export function otherScenarios(subject: keyof typeof differences, store: Store): Scenario[] {
  return storeScenarios('small', store)
    .filter(({ name }) => ['create', 'get', 'open', '401'].includes(name))
    .map((scenario) => ({
      ...scenario,
      name: `${scenario.name}/${subject}`,
      title: `${scenario.title}, ${differences[subject]}`,
      subject,
      connections: subject === 'straight' ? scenario.connections : [64],
    }))
}

/** A server whose caller has used up the quota. */
export function strictScenarios(store: Store): Scenario[] {
  const requests = [get('/api/folders', store.members[0]?.token)]
  return [
    {
      name: '429',
      title: 'quota used up (429)',
      subject: 'strict',
      connections: [64],
      requests,
      expect: 429,
    },
  ]
}

const alsoWithFew = ['create', 'get', 'list10', 'open', '401']

function allConnections(name: string): readonly number[] {
  return alsoWithFew.includes(name) ? [1, 16, 64] : [64]
}
