import { password, type Member } from '../stores/store.ts'
import { freshKey } from './fresh.ts'

export const note = 'user: app\npassword: correct horse battery staple'

/** Complete requests as they are sent, the same for all servers. */
export function post(path: string, body: string, token?: string): string {
  const length = Buffer.byteLength(body)
  const type = body === '' ? '' : 'Content-Type: application/json\r\n'
  return `POST ${path} HTTP/1.1\r\n${commonHeaders(token)}${type}Content-Length: ${length}\r\n\r\n${body}`
}

export function get(path: string, token?: string): string {
  return `GET ${path} HTTP/1.1\r\n${commonHeaders(token)}\r\n`
}

/** A page of an owner. */
export function getPage(path: string, sessionToken: string): string {
  return `GET ${path} HTTP/1.1\r\n${browserHeaders}Cookie: sotto=${sessionToken}\r\n\r\n`
}

/** What the form of the login page sends. */
export function signIn(email: string, ownerPassword: string): string {
  const body = new URLSearchParams({ email, password: ownerPassword }).toString()
  const type = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`
  return `POST /login HTTP/1.1\r\n${browserHeaders}${type}\r\n${body}`
}

const browserHeaders = 'Host: localhost:3000\r\nAccept: text/html\r\n'

function commonHeaders(token: string | undefined): string {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  return `Host: localhost:3000\r\nAccept: application/json\r\n${authorization}`
}

export function createBody(folderId: string): string {
  return JSON.stringify({
    label: 'Database, staging',
    note,
    folder_id: folderId,
    open_limit: 0,
    notify: false,
  })
}

export function createRequests(creators: readonly Member[]): string[] {
  return creators.map(({ folderId, token }) => post('/api/secret', createBody(folderId), token))
}

/** Requests that create secrets, each with an idempotency key of its own. */
export function keyedCreateRequests(creators: readonly Member[]): string[] {
  const header = `\r\nIdempotency-Key: ${freshKey}\r\n`
  return createRequests(creators).map((request) => request.replace('\r\n', header))
}

export function openRequests(links: readonly string[], withPassword: boolean): string[] {
  return links.map((link) => post(`/${link}`, withPassword ? JSON.stringify({ password }) : ''))
}
