import t from 'tap'
import {
  makeWebhookSecret,
  parseWebhookEndpoint,
  webhookEndpointText,
  webhookHost,
  webhookSecretBytes,
} from '../../../src/notifications/webhooks/webhook.ts'

const secret = makeWebhookSecret(new Uint8Array(webhookSecretBytes).fill(251))
const url = 'https://hooks.example.org/a?b=c d'

t.test('a signing secret is the standard base64 of 24 bytes', (t) => {
  t.equal(secret, `whsec_${Buffer.alloc(24, 251).toString('base64')}`)
  for (const length of [0, 23, 25, 32]) t.throws(() => makeWebhookSecret(new Uint8Array(length)), TypeError)
  t.end()
})

t.test('the host of an address is what may be shown of it', (t) => {
  for (const [address, host] of [
    [url, 'hooks.example.org'],
    ['HTTPS://Hooks.Example.org:8443', 'hooks.example.org:8443'],
    ['https:hooks.example.org?token=1', 'hooks.example.org'],
    ['http://[2001:db8::1]/hook', '[2001:db8::1]'],
  ] as const) {
    t.equal(webhookHost(address), host)
  }
  t.end()
})

t.test('address and secret survive as one text', (t) => {
  const text = webhookEndpointText({ url, secret })
  t.equal(text, `${secret} ${url}`)
  t.strictSame(parseWebhookEndpoint(text), { url, secret })
  t.end()
})

t.test('any other text is no endpoint', (t) => {
  for (const text of [
    '',
    url,
    secret,
    `${secret} `,
    `${secret}A ${url}`,
    `${secret.slice(0, -1)} ${url}`,
    ` ${secret} ${url}`,
    `${secret}${url}`,
  ])
    t.equal(parseWebhookEndpoint(text), undefined, text)
  t.end()
})
