import { expectErr, expectOk } from '@sotto/test-kit'
import { test } from 'tap'
import { readUrl, type Host } from '../../src/connection/url.ts'

function onlyHost(url: string): Host {
  const { hosts } = expectOk(readUrl(url))
  if (hosts.length !== 1) throw new Error('the URL has several hosts')
  return hosts[0]
}

test('a URL names user, password, host, port and database', (t) => {
  t.match(expectOk(readUrl('postgres://me:p%40ss@db.example:5433/sotto')), {
    ...{ hosts: [{ host: 'db.example', port: 5433 }], user: 'me', password: 'p@ss', database: 'sotto' },
    location: 'postgres://db.example:5433/sotto',
    applicationName: 'sotto',
  })
  t.end()
})

test('a URL without a port means 5432', (t) => {
  t.same(onlyHost('postgresql://db.example/sotto').port, 5432)
  t.end()
})

test('another machine is reached by TLS alone, with certificate and host name verified', (t) => {
  for (const url of ['postgres://db.example/sotto', 'postgres://db.example/sotto?sslmode=verify-full']) {
    t.match(onlyHost(url).ssl, { rejectUnauthorized: true })
  }
  t.end()
})

test('this machine is reached without TLS, unless the URL asks for it', (t) => {
  for (const host of ['localhost', '127.0.0.1', '127.8.0.1', '[::1]']) {
    t.same(onlyHost(`postgres://${host}/sotto`).ssl, false, host)
    const { ssl } = onlyHost(`postgres://${host}/sotto?sslmode=verify-full`)
    t.match(ssl, { rejectUnauthorized: true }, host)
  }
  t.same(onlyHost('postgres://127.0.0.1.example/sotto').ssl === false, false)
  t.end()
})

test('a file of certificates asks for TLS on this machine, too, and contradicts sslmode=disable', (t) => {
  const file = new URL(import.meta.url).pathname
  const { ssl } = onlyHost(`postgres://127.0.0.1/sotto?sslrootcert=${file}`)
  t.match(ssl, { rejectUnauthorized: true, ca: Buffer })
  t.match(expectErr(readUrl(`postgres://127.0.0.1/sotto?sslmode=disable&sslrootcert=${file}`)), 'disable')
  t.end()
})

test('an option that stands twice is refused, because the two may contradict each other', (t) => {
  const url = 'postgres://db.example/sotto?sslmode=verify-full&sslmode=disable'
  t.match(expectErr(readUrl(url)), 'twice')
  t.end()
})

test('an IPv6 address is reached by its plain form, and shown in brackets', (t) => {
  const { hosts, location } = expectOk(readUrl('postgres://[2001:db8::7]:5433/sotto'))
  t.match(hosts, [{ host: '2001:db8::7', port: 5433, ssl: { rejectUnauthorized: true } }])
  t.same(location, 'postgres://[2001:db8::7]:5433/sotto')
  t.end()
})

test('the location is that of the host that is connected to', (t) => {
  const { hosts, location } = expectOk(readUrl('postgres://a.example/sotto?host=b.example'))
  t.same([hosts[0].host, location], ['b.example', 'postgres://b.example/sotto'])
  t.end()
})

test('an empty name of the application means the default', (t) => {
  t.same(expectOk(readUrl('postgres://localhost/sotto?application_name=')).applicationName, 'sotto')
  t.same(expectOk(readUrl('postgres://localhost/sotto?application_name=one')).applicationName, 'one')
  t.end()
})

test('the directory of a Unix socket may stand for the host', (t) => {
  const { hosts, user, location } = expectOk(
    readUrl('postgres://me:secret@localhost/sotto?host=/run/postgresql'),
  )
  t.match(hosts, [{ host: '/run/postgresql', ssl: false }])
  t.equal(user, 'me')
  t.same(location, 'postgres:///sotto?host=/run/postgresql')
  t.end()
})

// libpq reads these in the same way: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
const several: Readonly<Record<string, readonly [hosts: readonly string[], location: string]>> = {
  'a:5433,b:5434/sotto': [['a 5433', 'b 5434'], 'a:5433,b:5434/sotto'],
  'a,b:5434/sotto': [['a 5432', 'b 5434'], 'a,b:5434/sotto'],
  'me:p,%40%2F@a,b/sotto': [['a 5432', 'b 5432'], 'a,b/sotto'],
  '[::1]:5433,[2001:db8::7]/sotto': [['::1 5433', '2001:db8::7 5432'], '[::1]:5433,[2001:db8::7]/sotto'],
  'a,b/sotto?port=6432': [['a 6432', 'b 6432'], 'a:6432,b:6432/sotto'],
  'a,b/sotto?port=6432,6433': [['a 6432', 'b 6433'], 'a:6432,b:6433/sotto'],
  'a:5433/sotto?host=b,c': [['b 5433', 'c 5433'], 'b:5433,c:5433/sotto'],
  'a/sotto?host=/run/one,/run/two': [['/run/one 5432', '/run/two 5432'], '/sotto?host=/run/one,/run/two'],
}

test('several hosts are read as libpq reads them, each with its port', (t) => {
  for (const [url, [expected, place]] of Object.entries(several)) {
    const { hosts, location } = expectOk(readUrl(`postgres://${url}`))
    t.same(
      hosts.map(({ host, port }) => `${host} ${port}`),
      expected,
      url,
    )
    t.equal(location, `postgres://${place}`)
  }
  t.match(expectOk(readUrl('postgres://me:p,%40%2F@a,b/sotto')), { user: 'me', password: 'p,@/' })
  t.end()
})

test('each of several hosts is verified, but for this machine', (t) => {
  const { hosts } = expectOk(readUrl('postgres://127.0.0.1,db.example/sotto'))
  t.match(hosts, [{ ssl: false }, { ssl: { rejectUnauthorized: true } }])
  t.end()
})

test('hosts and ports that do not belong together, or that are missing, are refused', (t) => {
  for (const url of ['a,,b/sotto', 'a,b:x/sotto', 'a,b:99999/sotto', 'a,b/sotto?host=c,'])
    expectErr(readUrl(`postgres://${url}`))
  for (const ports of ['1,2,3', '99999', 'x', '1,x'])
    t.match(expectErr(readUrl(`postgres://a,b/sotto?port=${ports}`)), 'a port for each host, or one for all')
  t.end()
})

test('a server is always wanted that can be written: another target is refused', (t) => {
  for (const target of ['read-write', 'primary'])
    expectOk(readUrl(`postgres://a,b/sotto?target_session_attrs=${target}`))
  for (const target of ['any', 'read-only', 'standby', 'prefer-standby', ''])
    t.match(
      expectErr(readUrl(`postgres://a,b/sotto?target_session_attrs=${target}`)),
      'read-write or primary',
    )
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
    `postgres://${canary}:${canary}@db.example,${canary}:x/sotto`,
    `postgres://${canary}:${canary}@db.example,db2.example/sotto?target_session_attrs=${canary}`,
    `postgres://${canary}:${canary}@db.example,db2.example/sotto?port=${canary}`,
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
