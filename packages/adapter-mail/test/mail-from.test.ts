import t from 'tap'
import { mailFromError, readMailFrom } from '../src/mail-from.ts'

t.test('a sender is an address, with or without a name', (t) => {
  const expected: Readonly<Record<string, object>> = {
    'sotto@example.org': { name: undefined, address: 'sotto@example.org', host: 'example.org' },
    'Example Ltd <no-reply+sotto@mail.example.org>': {
      name: 'Example Ltd',
      address: 'no-reply+sotto@mail.example.org',
      host: 'mail.example.org',
    },
    '"Example, Ltd" <sotto@example.org>': { name: 'Example, Ltd', address: 'sotto@example.org' },
    'Bücher <sotto@bücher.example>': { name: 'Bücher', address: 'sotto@xn--bcher-kva.example' },
    'sotto@localhost': { host: 'localhost' },
  }
  for (const [text, sender] of Object.entries(expected)) {
    t.match(readMailFrom(text), sender, text)
    t.equal(mailFromError(text), undefined, text)
  }
  t.end()
})

t.test('anything else is refused, and never repeated', (t) => {
  for (const text of [
    '',
    'canary',
    'canary@',
    '@canary',
    'canary@a@b',
    'canary <>',
    'a@canary.example, b@example.org',
    'Canary: a@canary.example, b@example.org;',
    'canary@example.org\r\nBcc: eve@example.org',
    'Canary\n <a@example.org>',
    'cänary@example.org',
    '"can ary"@example.org',
    'canary@exa mple.org',
    'canary@[127.0.0.1]',
    'canary@example.org>',
    'canary@ex_*ample.org',
    'canary;b@example.org',
    '(x)canary@example.org',
    'canary..b@example.org',
    '.canary@example.org',
    'canary@example.org.',
  ]) {
    const said = mailFromError(text)
    t.type(said, 'string', JSON.stringify(text))
    t.notMatch(said, /canary/i)
  }
  t.end()
})
