// A registry of npm in memory, on 127.0.0.1, as far as publishing and installing need one: to try a release without a real one.
// Below `fails/` it refuses everything.
import { createServer } from 'node:http'

/** What is published. `log` has each package in the order of publishing, `documents` what the registry says of each.
 * @typedef {{ versions: Record<string, { dist: { integrity: string, tarball: string } }>, 'dist-tags': Record<string, string> }} Document
 * @typedef {Document & { _attachments: Record<string, { data: string }> }} Publication
 * @typedef {{ url: string, log: string[], documents: Map<string, Document>, close: () => Promise<void> }} LocalRegistry */

/** @returns {Promise<LocalRegistry>} */
export async function startLocalRegistry() {
  const registry = createRegistry()
  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = []
    request.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk))
    request.on('end', () => {
      const path = decodeURIComponent((request.url ?? '').slice(1).replace(/\?.*/, ''))
      const { status, body } = registry.answer(request.method ?? '', path, Buffer.concat(chunks).toString())
      response.writeHead(status, {
        'content-type': Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json',
      })
      response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
    })
  })
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    ...registry,
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function createRegistry() {
  /** @type {string[]} */
  const log = []
  /** @type {Map<string, Document>} */
  const documents = new Map()
  /** @type {Map<string, Buffer>} */
  const tarballs = new Map()
  return { log, documents, answer }

  /** @param {string} method @param {string} path @param {string} text @returns {{ status: number, body: unknown }} */
  function answer(method, path, text) {
    if (path.startsWith('fails/')) return { status: 400, body: { error: 'refused' } }
    if (method === 'PUT') return publish(path, publicationOf(text))
    const body = tarballs.get(path) ?? documents.get(path)
    return body === undefined ? { status: 404, body: { error: 'not_found' } } : { status: 200, body }
  }

  /** @param {string} name @param {Publication} publication */
  function publish(name, { versions, 'dist-tags': tags, _attachments: attachments }) {
    const known = documents.get(name)
    for (const [version, { dist }] of Object.entries(versions)) {
      if (known?.versions[version] !== undefined) return { status: 409, body: { error: `${version} exists` } }
      const [{ data }] = /** @type {[{ data: string }]} */ (Object.values(attachments))
      tarballs.set(new URL(dist.tarball).pathname.slice(1), Buffer.from(data, 'base64'))
      log.push(`${name}@${version}`)
    }
    documents.set(name, {
      ...{ name, versions: { ...known?.versions, ...versions } },
      'dist-tags': { ...known?.['dist-tags'], ...tags },
    })
    return { status: 201, body: { ok: true } }
  }
}

/** @param {string} text */
function publicationOf(text) {
  /** @type {unknown} */
  const publication = JSON.parse(text)
  return /** @type {Publication} */ (publication)
}
