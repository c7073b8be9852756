import t from 'tap'
import { readSmtpUrl, smtpUrlError } from '../src/smtp-url.ts'

const canary = 'canary'

t.test('scheme, port and host decide about TLS', (t) => {
  const credentials = { user: 'ada', pass: 'p@ss/#%' }
  const expected: Readonly<Record<string, object>> = {
    'smtps://mail.example': { host: 'mail.example', port: 465, tls: 'immediate', credentials: undefined },
    'smtp://mail.example': { host: 'mail.example', port: 587, tls: 'starttls', credentials: undefined },
    'SMTP://Mail.Example:25/': { host: 'mail.example', port: 25, tls: 'starttls' },
    'smtp://ada:p%40ss%2F%23%25@mail.example': { tls: 'starttls', credentials },
    'smtp://mail.example?tls=never': { tls: 'never', credentials: undefined },
    'smtp://mail.example?tls=always': { tls: 'starttls' },
    'smtp://localhost:25': { host: '127.0.0.1', port: 25, tls: 'never' },
    'smtp://ada:p%40ss%2F%23%25@localhost': { tls: 'never', credentials },
    'smtp://127.0.0.1?tls=always': { host: '127.0.0.1', tls: 'starttls' },
    'smtp://127.1:2525': { host: '127.0.0.1', port: 2525, tls: 'never' },
    'smtp://[::1]:25': { host: '::1', tls: 'never' },
    'smtp://[2001:db8::1]': { host: '2001:db8::1', tls: 'starttls' },
    'smtp://127.example': { host: '127.example', tls: 'starttls' },
    'smtp://bücher.example': { host: 'xn--bcher-kva.example' },
  }
  for (const [url, server] of Object.entries(expected)) {
    t.match(readSmtpUrl(url), server, url)
    t.equal(smtpUrlError(url), undefined, url)
  }
  t.end()
})

t.test('what is wrong is named, and never repeated', (t) => {
  const faults: Readonly<Record<string, RegExp>> = {
    '': /^must begin with smtp/,
    canary: /^must begin with smtp/,
    'https://canary': /^must begin with smtp/,
    'smtp:canary': /^must begin with smtp/,
    'smtp://': /^is not a URL/,
    'smtp://canary:99999': /^is not a URL/,
    'smtp://canary:0': /port 0/,
    'smtp://canary.example/path': /path/,
    'smtp://ada:canary/x@mail.example': /path/,
    'smtp://ada:canary#x@mail.example': /#/,
    'smtp://ada:canary?x@mail.example': /query/,
    'smtp://canary.example?tls=maybe': /query/,
    'smtp://canary.example?tls=never&tls=always': /query/,
    'smtp://canary.example?secure=true': /query/,
    'smtps://canary.example?tls=never': /always has TLS/,
    'smtp://canary@mail.example': /password/,
    'smtp://:canary@mail.example': /password/,
    'smtp://ada:canary%@mail.example': /%25/,
    'smtp://ada:canary%ff@mail.example': /%25/,
    'smtp://ada:canary%00@mail.example': /control characters/,
    'smtp://ada:canary%0d%0aQUIT@mail.example': /control characters/,
    'smtp://ada:can ary@mail.example': /spaces/,
    'smtp://canary\\mail.example': /backslashes/,
    'smtp://canary.example\r\n': /control characters/,
    'smtp://ada:canary@mail.example?tls=never': /in the clear/,
  }
  for (const [url, fault] of Object.entries(faults)) {
    const said = smtpUrlError(url)
    t.match(said, fault, JSON.stringify(url))
    t.notMatch(said, canary)
  }
  t.end()
})
