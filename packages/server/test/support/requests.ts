// Requests to a server in a process of its own.

/** Whose requests they are, and where they go. */
export interface Caller {
  readonly baseUrl: string
  readonly token: string
  readonly folderId: string
}

/** A caller with the account that a server's first start made. */
export function callerOf(server: {
  readonly baseUrl: string
  readonly firstStart: { readonly token: string; readonly folder_id: string } | null
}): Caller {
  const { token = '', folder_id: folderId = '' } = server.firstStart ?? {}
  return { baseUrl: server.baseUrl, token, folderId }
}

export function callApi({ baseUrl, token }: Caller, path: string, body?: object): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

export interface Created {
  readonly id: string
  /** The path of its link. */
  readonly path: string
}

/** Creates a secret. Throws for any answer but 201. */
export async function createSecret(caller: Caller, fields: object = {}): Promise<Created> {
  const answer = await callApi(caller, '/api/secret', {
    label: 'a label',
    note: 'a note',
    folder_id: caller.folderId,
    ...fields,
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  const { data } = (await answer.json()) as { data: { id: string; link: { url: string } } }
  return { id: data.id, path: new URL(data.link.url).pathname }
}

/** Opens a link once, and resolves with the status and the note that was delivered. */
export async function openLink(
  baseUrl: string,
  path: string,
  password?: string,
): Promise<{ readonly status: number; readonly note: string | undefined }> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(password === undefined ? {} : { password }),
  })
  const { data } = (await answer.json()) as { data?: { note: string } }
  return { status: answer.status, note: data?.note }
}

/** Asks until the answer has this status: a store is found broken and healed again within seconds. */
export async function untilStatus(url: string, status: number): Promise<void> {
  for (let answer = 0; answer !== status;) {
    answer = await fetch(url, { signal: AbortSignal.timeout(30_000) }).then((response) => response.status)
  }
}
