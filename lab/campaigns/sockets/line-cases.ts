import { canary, closes, ends, head, keeps, notHttp, request, type RawCase, type Scene } from './raw-case.ts'

const clientHello = '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'

/** Request lines: methods, targets and versions. */
export function lineCases({ base, token }: Scene): readonly RawCase[] {
  const host = `Host: ${base}`
  const bearer = `Authorization: Bearer ${token}`
  const get = (target: string, ...headers: readonly string[]) => request(`GET ${target}`, host, ...headers)
  return [
    closes('words', notHttp, `${canary} words\r\n\r\n`),
    closes('no words', notHttp, '\0\0\0\0\r\n\r\n'),
    closes('TLS', notHttp, clientHello + canary),
    closes('SSL 2', notHttp, '\x80\x2e\x01\x00\x02\x00\x15\x00\x00\x00\x10'),
    closes('SSH', notHttp, `SSH-2.0-${canary}\r\n`),
    closes('SMTP', notHttp, `EHLO ${canary}.example\r\n`),
    closes('HTTP/2 preface', notHttp, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'),
    ends('timeout', 'HTTP/0.9', '408 api', `GET /api/${canary}\r\n`),
    closes('HTTP/0.9 in the version', '401 api', head(`GET /api/folders HTTP/0.9`, host)),
    closes('HTTP/1.0', '401 api', head(`GET /api/${canary} HTTP/1.0`, host)),
    closes('HTTP/1.0 without a Host', '400 api', head(`GET /api/${canary} HTTP/1.0`)),
    closes('HTTP/1.2', notHttp, head(`GET /api/${canary} HTTP/1.2`, host)),
    closes('HTTP/2.0', '401 api', head(`GET /api/${canary} HTTP/2.0`, host)),
    closes('HTTP/9', notHttp, head(`GET /api/${canary} HTTP/9`, host)),
    closes('another protocol', notHttp, head(`GET /api/${canary} ICY/1.1`, host)),
    closes('no version', '401 api', head('GET /api/folders', host)),
    closes('no target', notHttp, head('GET HTTP/1.1', host)),
    closes('a method in lower case', notHttp, request('get /api/folders', host)),
    closes('an unknown method', notHttp, request(`${canary.toUpperCase()} /api/folders`, host)),
    closes('a method of 2,000 letters', notHttp, request(`${'A'.repeat(2_000)} /api/folders`, host)),
    closes('a method with NUL', notHttp, request('GE\0T /api/folders', host)),
    closes('a space before the method', notHttp, ` ${get('/api/folders')}`),
    closes('a target with a space', notHttp, get(`/api/fol ${canary}`)),
    closes('a target with NUL', notHttp, get(`/api/folders\0${canary}`)),
    closes('a target with DEL', notHttp, get(`/api/folders\x7f${canary}`)),
    closes('a space after the version', notHttp, head(`GET /api/folders HTTP/1.1 `, host)),
    closes('lines without CR', notHttp, get('/api/folders').replaceAll('\r', '')),
    closes('lines without LF', notHttp, get('/api/folders').replaceAll('\n', '')),
    keeps('an empty line before the request', '401 api', `\r\n${get('/api/folders')}`),
    keeps('a method of WebDAV', '405 api', request('PROPFIND /api/folders', host, bearer)),
    keeps('TRACE', '405 api', request('TRACE /api/folders', host, bearer, `X-A: ${canary}`)),
    keeps(
      'a preflight',
      '401 api',
      request('OPTIONS /api/secret', host, 'Origin: https://canaryQx7.example'),
    ),
    keeps('the asterisk form', '404 json', request('OPTIONS *', host)),
    keeps('the asterisk form of GET', '404 json', get('*')),
    closes('a target without a slash', notHttp, get(canary)),
    keeps('a double slash', '404 json', get('//api/folders')),
    keeps('a double slash in the API', '404 api', get('/api//folders', bearer)),
    keeps('dots', '404 api', get(`/api/../${canary}`, bearer)),
    keeps('encoded dots', '404 api', get(`/api/%2e%2e/${canary}`, bearer)),
    keeps('an encoded path', '200 api', get('/%61pi/folders', bearer)),
    keeps('capital letters', '404 json', get(`/API/${canary}`)),
    keeps('a fragment', '200 api', get(`/api/folders#${canary}`, bearer)),
    keeps('a query', '200 api', get(`/api/folders?${canary}=%zz&a[]=1&__proto__=2`, bearer)),
    keeps('a bad percent sign', '404 api', get(`/api/secret/%zz${canary}`, bearer)),
    keeps('a lone percent sign', '404 api', get(`/api/secret/%`, bearer)),
    keeps('an octet that is no UTF-8', '404 api', get(`/api/secret/%ff${canary}`, bearer)),
    keeps('an encoded NUL', '404 api', get(`/api/secret/%00${canary}`, bearer)),
    closes('octets above 127', notHttp, get(`/api/secret/\xc3\xa4${canary}`, bearer)),
    keeps('a URL of 2,048 bytes', '404 api', get(`/api/${'x'.repeat(2_043)}`, bearer)),
    keeps('a URL of 2,049 bytes', '414 api', get(`/api/${'x'.repeat(2_044)}`, bearer)),
    closes('a URL of 20,000 bytes', '414 api', get(`/api/${canary.repeat(2_222)}`, bearer)),
    closes('a URL of 200,000 bytes', '414 api', get(`/${canary.repeat(22_222)}`)),
    keeps('a thousand segments', '404 api', get(`/api${'/a'.repeat(1_000)}`, bearer)),
  ]
}
