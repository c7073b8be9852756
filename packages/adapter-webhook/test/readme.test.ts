import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { WebhookMessage } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import { toWireWebhookEvent } from '@sotto/wire'
import t, { type Test } from 'tap'
import { createSender, event, requestTo, secret } from './support/messages.ts'
import { startReceiver, type Received } from './support/receiver.ts'

const directory = join(import.meta.dirname, '..')
const readme = readFileSync(join(directory, 'README.md'), 'utf8')

interface ReadOptions {
  readonly secret: string
  readonly seen: ReadonlySet<string>
  readonly now?: number
}

/** What the README gives to receivers. */
interface ReceiverModule {
  readWebhook(body: string, headers: object, options: ReadOptions): { readonly id: string } | undefined
}

t.test('the example of the sender prints what it says', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [exampleFile(t, 'ts')])
  t.equal(stdout, '01a1f928-b04d-7c6e-916c-d3ea13fa4f65\nsent\naddress_not_allowed\n')
})

// Promise (Webhooks): A message is signed as Standard Webhooks describe it: and the README’s lines verify it
t.test('the README’s ten lines verify what the sender posts, and read it once', async (t) => {
  const { readWebhook } = await receiverModule(t)
  const { port, last } = await startReceiver(t)
  const test: WebhookMessage = { id: event.id, type: 'webhook.test', createdAtMicros: 1 }
  for (const message of [event, test]) {
    const request = requestTo(`http://127.0.0.1:${port}/`, { message, atMicros: Date.now() * 1000 })
    expectOk(await createSender(t).send(request))
    const { body, headers } = last()
    const read = readWebhook(body, headers, { secret, seen: new Set() })
    t.strictSame(read, { id: event.id, ...toWireWebhookEvent(message) })
    t.equal(readWebhook(body, headers, { secret, seen: new Set([event.id]) }), undefined)
  }
})

t.test('the README’s ten lines refuse forged, changed and old messages', async (t) => {
  const { readWebhook } = await receiverModule(t)
  const { body, headers } = await posted(t)
  const now = Number(headers['webhook-timestamp']) * 1000
  const options = { secret, seen: new Set<string>(), now }
  t.ok(readWebhook(body, headers, options))
  const others = {
    ...headers,
    'webhook-signature': `v1,AAAA ${String(headers['webhook-signature'])} v1a,BBBB`,
  }
  t.ok(readWebhook(body, others, options), 'with further signatures, as while a secret is changed')

  const wrong = { message: 'signature wrong' }
  t.throws(() => readWebhook(body, headers, { ...options, secret: secret.replace('MfK', 'MfL') }), wrong)
  t.throws(() => readWebhook(body.replace('"opens":1', '"opens":2'), headers, options), wrong)
  t.throws(() => readWebhook(body, {}, options), wrong)
  const changes = {
    'webhook-id': event.secretId,
    'webhook-timestamp': String(now / 1000 + 1),
    'webhook-signature': String(headers['webhook-signature']).replace('v1', 'v2'),
  }
  for (const [name, value] of Object.entries(changes)) {
    t.throws(() => readWebhook(body, { ...headers, [name]: value }, options), wrong, name)
  }

  const old = { message: 'time too far away' }
  for (const seconds of [-300, 300])
    t.ok(readWebhook(body, headers, { ...options, now: now + seconds * 1000 }))
  for (const seconds of [-301, 301]) {
    t.throws(() => readWebhook(body, headers, { ...options, now: now + seconds * 1000 }), old)
  }
})

t.test('the README’s message is as the sender writes it, and its links lead to files', async (t) => {
  const shown = {
    ...event,
    secretId: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d',
    folderId: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3e',
    createdAtMicros: Date.UTC(2026, 10, 20, 9, 30) * 1000,
    opensLeft: 0,
    expiresAtMicros: Date.UTC(2026, 11, 20, 9, 30) * 1000,
  }
  t.equal(blockOf('json'), `${JSON.stringify(toWireWebhookEvent(shown), null, 2)}\n`)
  for (const [, path = ''] of readme.matchAll(/\]\((\.[^)#]*)/g))
    t.ok(existsSync(join(directory, path)), path)
})

function blockOf(language: string): string {
  const [, text = ''] = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(readme) ?? []
  return text
}

/** A file of this package, so that it finds the package by its name. */
function exampleFile(t: Test, language: 'ts' | 'js'): string {
  const file = join(import.meta.dirname, `readme-example-${process.pid}.${language}`)
  writeFileSync(file, blockOf(language))
  t.teardown(() => rmSync(file, { force: true }))
  return file
}

async function receiverModule(t: Test): Promise<ReceiverModule> {
  return (await import(exampleFile(t, 'js'))) as ReceiverModule
}

async function posted(t: Test): Promise<Received> {
  const { port, last } = await startReceiver(t)
  expectOk(await createSender(t).send(requestTo(`http://127.0.0.1:${port}/`)))
  return last()
}
