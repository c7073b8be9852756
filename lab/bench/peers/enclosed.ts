import { get, note, post } from '../load/requests.ts'
import { ciphertextsFor } from './ciphertexts.ts'
import { askJson } from './json.ts'
import { notesToOpen, type Service } from './service.ts'

const title = 'Enclosed'
/** What CBOR adds to a note of 24 to 255 bytes without files: an array of two, a text with its length, an empty array. */
const cborBytes = 4

/**
 * Stores notes in an Enclosed, to be opened, and reads each one back.
 *
 * @throws when it does not answer as Enclosed 1.16.0 does
 */
export async function prepareEnclosed(port: number, notes = notesToOpen): Promise<Service> {
  const { placeholder, beginning, next } = ciphertextsFor(note.length + cborBytes)
  const ids: string[] = []
  while (ids.length < notes) ids.push(await storeNote(port, next()))
  return {
    name: 'enclosed',
    port,
    create: {
      requests: [post('/api/notes', JSON.stringify(bodyOf(placeholder)))],
      expect: 200,
      contains: '"noteId":"',
    },
    open: { requests: ids.map((id) => get(`/api/notes/${id}`)), expect: 200, contains: beginning },
  }
}

async function storeNote(port: number, ciphertext: string): Promise<string> {
  const body = bodyOf(ciphertext)
  const { noteId } = await askJson({ title, port, path: '/api/notes', body })
  const path = `/api/notes/${String(noteId)}`
  const stored = (await askJson({ title, port, path }))['note'] as { readonly payload?: unknown } | undefined
  if (stored?.payload !== body.payload) throw new Error(`${title} does not return the note that it stored`)
  return String(noteId)
}

/** The body that `packages/lib` of Enclosed sends: the nonce of 12 bytes, then the ciphertext. */
function bodyOf(ciphertext: string) {
  return {
    payload: `AAECAwQFBgcICQoL:${ciphertext}`,
    ttlInSeconds: 2_592_000,
    deleteAfterReading: false,
    serializationFormat: 'cbor-array',
    encryptionAlgorithm: 'aes-256-gcm',
    isPublic: true,
  }
}
