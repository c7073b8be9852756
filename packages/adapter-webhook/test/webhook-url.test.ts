import t from 'tap'
import type { WebhookUrlRefused } from '@sotto/core'
import { createWebhookSender } from '../src/webhook-sender.ts'

function ruleOf(url: string, allow: readonly string[] = []): WebhookUrlRefused['rule'] | undefined {
  const checked = createWebhookSender({ allow }).checkUrl(url)
  return checked.isErr() ? checked.error.rule : undefined
}

t.test('allows https to names and public addresses', async (t) => {
  const names = [
    'https://hook.example',
    'https://hook.example:8443/a?b=c',
    'HTTPS://Hook.Example/',
    'https://bücher.example/ü',
  ]
  for (const url of [
    ...names,
    'https://1.1.1.1/',
    'https://[2606:4700::1111]:444/',
    `https://hook.example/${'x'.repeat(2027)}`,
  ]) {
    t.equal(ruleOf(url), undefined, url)
  }
})

t.test('refuses what is not a URL, or more than one', async (t) => {
  const malformed = [
    '',
    'hook.example',
    '//hook.example',
    '/path',
    'https://',
    'https://a:b',
    'https://[::1',
    'https://256.1.1.1/',
  ]
  const parts = [
    'https://u@hook.example',
    'https://u:p@hook.example',
    'https://:p@hook.example',
    'https://hook.example/#',
    'https://hook.example/#f',
  ]
  const characters = [
    ' https://hook.example',
    'https://hook.example/ ',
    'https://hook.example/a b',
    'https://hook.exa\tmple',
    'https://hook.example/\n',
  ]
  const others = [
    'https://hook.example/\0',
    'https://hook.example/\u0085',
    'https://hook.example/\ud800',
    'https:\\\\hook.example',
    'https://a\\@hook.example',
  ]
  for (const url of [...malformed, ...parts, ...characters, ...others]) t.equal(ruleOf(url), 'not_a_url', url)
  t.equal(ruleOf(`https://hook.example/${'x'.repeat(2028)}`), 'not_a_url', '2,049 characters')
})

t.test('refuses every other scheme', async (t) => {
  for (const url of [
    'http://hook.example',
    'http://1.1.1.1/',
    'ftp://hook.example',
    'file:///etc/passwd',
    'data:,x',
    'wss://hook.example',
  ]) {
    t.equal(ruleOf(url), 'not_https', url)
  }
  t.equal(ruleOf('ftp://10.0.0.1', ['10.0.0.0/8']), 'not_https')
})

// Promise (Webhooks): No message goes to an address that is not public, however it is written
t.test('refuses an address that is not public however it is written', async (t) => {
  const four = [
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.1',
    '127.0.1',
    '0',
    '0x0',
    '127.0.0.1.',
  ]
  const wide = [
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '169.254.169.254',
    '3232235777',
    '10.1',
    '255.255.255.255',
  ]
  const six = [
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
  ]
  const names = ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.localhost.', 'ⓛocalhost']
  for (const host of [...four, ...wide, ...six, ...names]) {
    t.equal(ruleOf(`https://${host}/`), 'address_not_allowed', host)
  }
  t.equal(ruleOf('https://localhost.example/'), undefined)
  t.equal(ruleOf('https://notlocalhost/'), undefined)
})

// Promise (Webhooks): A range that the operator allows lifts this, for http too
t.test('a range that is allowed lifts the refusals, of http too', async (t) => {
  const allow = ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8']
  for (const host of ['127.0.0.1', '0x7f.1', '10.9.8.7', '[fd00::1]', '[::ffff:10.0.0.1]', 'localhost']) {
    t.equal(ruleOf(`http://${host}/`, allow), undefined, host)
    t.equal(ruleOf(`https://${host}/`, allow), undefined, host)
  }
  t.equal(ruleOf('http://[::1]/', allow), 'address_not_allowed')
  t.equal(ruleOf('https://192.168.0.1/', allow), 'address_not_allowed')
  t.equal(ruleOf('https://localhost/', ['10.0.0.0/8']), 'address_not_allowed')
  t.equal(ruleOf('http://1.1.1.1/', allow), 'not_https', 'a public address that no range names')
  t.equal(
    ruleOf('http://hook.example/', allow),
    undefined,
    'its addresses are checked when it is connected to',
  )
})
