import { deflateRawSync } from 'node:zlib'
import { get, note, post } from '../load/requests.ts'
import { ciphertextsFor } from './ciphertexts.ts'
import { askJson } from './json.ts'
import { notesToOpen, type Requests, type Service } from './service.ts'

const title = 'PrivateBin'
const header = ['X-Requested-With', 'JSONHttpRequest'] as const

/**
 * Stores pastes in a PrivateBin, to be opened, and reads each one back. The id of a paste is a checksum of its ciphertext, so every
 * create needs another one.
 *
 * @throws when it does not answer as PrivateBin 2.0.5 does, or limits creates (`limit` under `[traffic]`)
 */
export async function preparePrivateBin(port: number, notes = notesToOpen): Promise<Service> {
  const { placeholder, beginning, next } = ciphertextsFor(
    deflateRawSync(JSON.stringify({ paste: note })).length,
  )
  const ids: string[] = []
  while (ids.length < notes) ids.push(await storePaste(port, next()))
  return {
    name: 'privatebin',
    port,
    // PrivateBin refuses with the HTTP status 200, too, and another `status` in the body.
    create: asApi([post('/', JSON.stringify(bodyOf(placeholder)))], '{"status":0,'),
    open: asApi(
      ids.map((id) => get(`/?${id}`)),
      beginning,
    ),
  }
}

function asApi(requests: readonly string[], contains: string): Requests {
  const line = `\r\n${header.join(': ')}\r\n`
  return { requests: requests.map((request) => request.replace('\r\n', line)), expect: 200, contains }
}

async function storePaste(port: number, ciphertext: string): Promise<string> {
  const question = { title, port, headers: Object.fromEntries([header]) }
  const { status, id, ...others } = await askJson({ ...question, path: '/', body: bodyOf(ciphertext) })
  if (status !== 0) throw new Error(`${title} refuses to store a paste: ${JSON.stringify(others)}`)
  const { ct } = await askJson({ ...question, path: `/?${String(id)}` })
  if (ct !== ciphertext) throw new Error(`${title} does not return the paste that it stored`)
  return String(id)
}

/** The body that `js/privatebin.js` sends, in format 2. The server ignores the nonce (16 bytes) and the salt (8 bytes). */
function bodyOf(ciphertext: string) {
  const cipher = ['AAECAwQFBgcICQoLDA0ODw==', 'AAECAwQFBgc=', 100_000, 256, 128, 'aes', 'gcm', 'zlib']
  return { v: 2, adata: [cipher, 'plaintext', 0, 0], ct: ciphertext, meta: { expire: '1month' } }
}
