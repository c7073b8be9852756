import { canary, closes, ends, keeps, request, type RawCase, type Scene } from './raw-case.ts'

/** Connections: pipelining, ends, tunnels and slow clients; and what links and the other paths answer. */
export function connectionCases(scene: Scene): readonly RawCase[] {
  const { base, link, token, linkToken } = scene
  const host = `Host: ${base}`
  const bearer = `Authorization: Bearer ${token}`
  const get = request('GET /api/folders', host, bearer)
  const post = (...headers: readonly string[]) =>
    request('POST /api/secret', host, bearer, 'Content-Type: application/json', ...headers)
  const upgrade = (protocol: string, ...headers: readonly string[]) =>
    request('GET /api/folders', host, bearer, 'Connection: Upgrade', `Upgrade: ${protocol}`, ...headers)
  const toLink = (line: string, ...headers: readonly string[]) => request(line, `Host: ${link}`, ...headers)
  return [
    keeps(
      'pipelining',
      '200 api, 401 api, 404 api',
      get + request('GET /api/folders', host) + request('GET /api/a', host, bearer),
    ),
    keeps('100 pipelined requests', Array<string>(100).fill('200 api').join(', '), get.repeat(100)),
    closes('nonsense after a request', '200 api, 400 api', `${get}${canary}\r\n\r\n`),
    closes(
      'a request after the last one',
      '200 api',
      request('GET /api/folders', host, bearer, 'Connection: close') + get,
    ),
    keeps('Expect: 100-continue', '400 api', `${post('Expect: 100-continue', 'Content-Length: 2')}{}`),
    keeps('another Expect', '400 api', `${post(`Expect: ${canary}`, 'Content-Length: 2')}{}`),
    ends(
      'timeout',
      'Expect: 100-continue, then nothing',
      '408 api',
      post('Expect: 100-continue', 'Content-Length: 50'),
    ),
    closes(
      'Expect: 100-continue, and too long',
      '413 api',
      post('Expect: 100-continue', 'Content-Length: 17000000'),
    ),
    ends(
      'timeout',
      'an upgrade to WebSocket',
      '200 api',
      upgrade('websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='),
    ),
    ends('timeout', 'an upgrade to h2c', '200 api', upgrade('h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__')),
    closes('CONNECT to a host', '400 api', request(`CONNECT ${canary}.example:443`, host, bearer)),
    closes('CONNECT to a path', '405 api', request('CONNECT /api/folders', host, bearer)),
    closes('CONNECT and more', '404 api', request('CONNECT /api/unknown', host, bearer) + canary.repeat(100)),
    ends('leave', 'a request and a closed side', '200 api', get),
    ends('half-close', 'half a request and a closed side', '400 api', `GET /api/${canary} HTTP/1.1\r\nHo`),
    ends('half-close', 'nothing and a closed side', ''),
    ends('reset', 'a reset after nothing', ''),
    ends('reset', 'a reset in the request line', '', `GET /api/${canary}`),
    ends('reset', 'a reset in a body', '', `${post('Content-Length: 50')}{"label"`),
    ends('reset', 'a reset before the answers', '', get.repeat(20)),
    ends('timeout', 'silence', '408 api'),
    ends('timeout', 'headers that stop', '408 api', `GET /api/${canary} HTTP/1.1\r\n${host}\r\n`),
    ends('timeout', 'a body that stops', '408 api', `${post('Content-Length: 50')}{"label"`),
    ends('timeout', 'chunks that stop', '408 api', `${post('Transfer-Encoding: chunked')}1\r\n{\r\n`),
    ends('timeout', 'a request, then silence', '200 api', get),
    ends(
      'timeout',
      'a refused body that stops',
      '401 api',
      request('POST /api/secret', host, 'Content-Length: 50'),
    ),
    keeps('a link', '200 page', toLink(`GET /${linkToken}`)),
    keeps('a link as JSON', '200 json', toLink(`GET /${linkToken}`, 'Accept: application/json')),
    keeps(
      'an open',
      '200 json',
      toLink(`POST /${linkToken}`, 'Accept: application/json', 'Content-Length: 0'),
    ),
    keeps('an unknown link', '404 page', toLink(`GET /${canary}`)),
    keeps('a link with a bad percent sign', '404 page', toLink(`GET /%zz${canary}%`)),
    keeps('a link of 2,049 bytes', '414 page', toLink(`GET /${'x'.repeat(2_048)}`)),
    keeps('another method of a link', '405 page', toLink(`DELETE /${canary}`)),
    keeps('TRACE of a link', '405 page', toLink(`TRACE /${canary}`)),
    keeps(
      'a link from another site',
      '403 json',
      toLink(`POST /${linkToken}`, `Origin: https://${canary}.example`, 'Content-Length: 0'),
    ),
    keeps(
      'another type for a link',
      '415 json',
      `${toLink(`POST /${linkToken}`, `Content-Type: text/${canary}`, 'Content-Length: 2')}{}`,
    ),
    keeps(
      'bad JSON for a link',
      '400 json',
      `${toLink(`POST /${linkToken}`, 'Content-Type: application/json', 'Content-Length: 9')}${canary}`,
    ),
    keeps(
      'a large body for a link',
      '413 json',
      `${toLink(`POST /${linkToken}`, 'Content-Type: application/json', 'Content-Length: 20000')}${'x'.repeat(20_000)}`,
    ),
    keeps(
      'bad JSON from a browser',
      '400 page',
      `${toLink(`POST /${linkToken}`, 'Accept: text/html', 'Content-Type: application/json', 'Content-Length: 9')}${canary}`,
    ),
    keeps('a long path on the host of links', '404 json', toLink(`GET /a/${canary}`)),
    keeps('robots.txt', '200 text', toLink('GET /robots.txt')),
    keeps('a link on the host of the API', '404 json', request(`GET /${linkToken}`, host)),
    keeps('the login page', '200 page', request('GET /login', host)),
    keeps('another method of health', '405 json', request('DELETE /healthz', host)),
    keeps('an unknown path', '404 json', request(`GET /a/${canary}`, host)),
    keeps(
      'a form that is none',
      '400 page',
      `${request('POST /login', host, 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 9')}%%${'&'.repeat(7)}`,
    ),
  ]
}
