import { expectErr, expectOk } from '@sotto/test-kit'
import { test } from 'tap'
import { readUrl } from '../../src/connection/url.ts'

test('a URL names user, password, host, port and database', (t) => {
  const { config, location, applicationName } = expectOk(
    readUrl('postgres://me:p%40ss@db.example:5433/sotto'),
  )
  t.match(config, { host: 'db.example', port: 5433, user: 'me', password: 'p@ss', database: 'sotto' })
  t.same(location, 'postgres://db.example:5433/sotto')
  t.same(applicationName, 'sotto')
  t.end()
})

test('a URL without a port means 5432', (t) => {
  t.same(expectOk(readUrl('postgresql://db.example/sotto')).config.port, 5432)
  t.end()
})

test('another machine is reached by TLS alone, with certificate and host name verified', (t) => {
  for (const url of ['postgres://db.example/sotto', 'postgres://db.example/sotto?sslmode=verify-full']) {
    t.match(expectOk(readUrl(url)).config.ssl, { rejectUnauthorized: true })
  }
  t.end()
})

test('this machine is reached without TLS, unless the URL asks for it', (t) => {
  for (const host of ['localhost', '127.0.0.1', '127.8.0.1', '[::1]']) {
    t.same(expectOk(readUrl(`postgres://${host}/sotto`)).config.ssl, false, host)
    const verified = expectOk(readUrl(`postgres://${host}/sotto?sslmode=verify-full`))
    t.match(verified.config.ssl, { rejectUnauthorized: true }, host)
  }
  t.same(expectOk(readUrl('postgres://127.0.0.1.example/sotto')).config.ssl === false, false)
  t.end()
})

test('a file of certificates asks for TLS on this machine, too, and contradicts sslmode=disable', (t) => {
  const file = new URL(import.meta.url).pathname
  const { config } = expectOk(readUrl(`postgres://127.0.0.1/sotto?sslrootcert=${file}`))
  t.match(config.ssl, { rejectUnauthorized: true, ca: Buffer })
  t.match(expectErr(readUrl(`postgres://127.0.0.1/sotto?sslmode=disable&sslrootcert=${file}`)), 'disable')
  t.end()
})

test('an option that stands twice is refused, because the two may contradict each other', (t) => {
  const url = 'postgres://db.example/sotto?sslmode=verify-full&sslmode=disable'
  t.match(expectErr(readUrl(url)), 'twice')
  t.end()
})

test('an IPv6 address is reached by its plain form, and shown in brackets', (t) => {
  const { config, location } = expectOk(readUrl('postgres://[2001:db8::7]:5433/sotto'))
  t.match(config, { host: '2001:db8::7', port: 5433 })
  t.match(config.ssl, { rejectUnauthorized: true })
  t.same(location, 'postgres://[2001:db8::7]:5433/sotto')
  t.end()
})

test('the location is that of the host that is connected to', (t) => {
  const { config, location } = expectOk(readUrl('postgres://a.example/sotto?host=b.example'))
  t.same([config.host, location], ['b.example', 'postgres://b.example/sotto'])
  t.end()
})

test('an empty name of the application means the default', (t) => {
  t.same(expectOk(readUrl('postgres://localhost/sotto?application_name=')).applicationName, 'sotto')
  t.same(expectOk(readUrl('postgres://localhost/sotto?application_name=one')).applicationName, 'one')
  t.end()
})

test('the directory of a Unix socket may stand for the host', (t) => {
  const { config, location } = expectOk(readUrl('postgres://me:secret@localhost/sotto?host=/run/postgresql'))
  t.match(config, { host: '/run/postgresql', user: 'me', ssl: false })
  t.same(location, 'postgres:///sotto?host=/run/postgresql')
  t.end()
})

/** Stands for anything in a URL that no message may repeat. */
const canary = 'canary-7f3a'

test('what is wrong with a URL is said without any part of it', (t) => {
  const faulty = [
    canary,
    `mysql://${canary}:${canary}@${canary}/${canary}`,
    `postgres://${canary}:${canary}@${canary}/`,
    `postgres:///${canary}`,
    `postgres://${canary}/${canary}?${canary}=1`,
    `postgres://${canary}/${canary}?sslmode=${canary}`,
    `postgres://${canary}/${canary}?sslmode=require`,
    `postgres://${canary}/${canary}?sslrootcert=/${canary}`,
    `postgres://${canary}:${canary}@${canary}:99999/${canary}`,
    `postgres://${canary}:%zz${canary}@${canary}/${canary}`,
    `postgres://%zz${canary}@${canary}/${canary}`,
    `postgres://${canary}/%zz${canary}`,
    // A password with a /, a # or a ? that is not encoded.
    `postgres://me:12/${canary}@db.example/sotto`,
    `postgres://me:12/sotto#${canary}@db.example/sotto`,
    `postgres://me:12/sotto?${canary}@db.example/sotto`,
    `postgres://me:12/sotto#${canary}`,
    // NUL would end the text, and the next one would be another parameter.
    `postgres://me%00${canary}@db.example/sotto`,
    `postgres://db.example/sotto%00${canary}`,
    `postgres://db.example/sotto?application_name=a%00${canary}`,
    // The server would list the connections under another name.
    `postgres://db.example/sotto?application_name=%C3%A9${canary}`,
    `postgres://db.example/sotto?application_name=${canary.repeat(5)}`,
  ]
  for (const url of faulty) {
    const message = expectErr(readUrl(url))
    t.not(message, '', url)
    t.notMatch(message, canary, url)
  }
  t.end()
})

test('a mode of TLS that does not verify the server is refused', (t) => {
  for (const mode of ['allow', 'prefer', 'require', 'verify-ca', '']) {
    t.match(expectErr(readUrl(`postgres://db.example/sotto?sslmode=${mode}`)), 'verify-full')
  }
  t.end()
})
