import { createHash, randomBytes } from 'node:crypto'
import t from 'tap'
import { addOwner, startTestServer } from '../support/installation.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface Created {
  readonly data: { readonly link: { readonly url: string } }
}
interface Opened {
  readonly data: {
    readonly files: readonly { readonly name: string; readonly size: number; readonly url: string }[]
  }
}

// Promise (Files): A file is what was sent, however its download was interrupted; no log names where it can be fetched
t.test(
  'a form that a browser would send is stored, and a download that broke off is continued',
  async (t) => {
    const { installation, baseUrl, call, log } = await startTestServer(t, t.testdir())
    const { folderId, token } = await addOwner(installation)
    const content = randomBytes(3_000_001)
    const form = new FormData()
    form.append(
      'secret',
      JSON.stringify({ label: 'Label', note: 'note', folder_id: folderId, open_limit: 1 }),
    )
    form.append('file', new Blob([content], { type: 'application/pdf' }), 'Vertrag “ä”.pdf')
    form.append('file', new Blob([]), 'empty')
    const created = await call('/api/secret', { token, method: 'POST', body: form })
    t.equal(created.status, 201)
    const { data } = (await created.json()) as Created
    const opened = await fetch(data.link.url, { method: 'POST', headers: { accept: 'application/json' } })
    const { files } = ((await opened.json()) as Opened).data
    t.match(files, [
      { name: 'Vertrag “ä”.pdf', size: content.length },
      { name: 'empty', size: 0 },
    ])
    const { url = baseUrl } = files[0] ?? {}

    // The client takes some of it and leaves.
    const broken = await fetch(url)
    const etag = broken.headers.get('etag') ?? ''
    let start: Uint8Array = new Uint8Array()
    for await (const piece of broken.body as unknown as AsyncIterable<Uint8Array>) {
      start = piece
      break
    }
    t.ok(start.length > 0 && start.length < content.length)

    const rest = await fetch(url, { headers: { range: `bytes=${start.length}-`, 'if-range': etag } })
    t.equal(rest.status, 206)
    const whole = Buffer.concat([start, new Uint8Array(await rest.arrayBuffer())])
    t.equal(sha256(whole), sha256(content))
    t.notMatch(log.join('\n'), new URL(url).pathname.slice(3, 20))
  },
)
