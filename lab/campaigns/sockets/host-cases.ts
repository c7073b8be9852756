import { canary, closes, head, keeps, notHttp, request, type RawCase, type Scene } from './raw-case.ts'

/** Hosts, the absolute form, and other headers. */
export function hostCases({ base, link, token }: Scene): readonly RawCase[] {
  const host = `Host: ${base}`
  const bearer = `Authorization: Bearer ${token}`
  const folders = (...headers: readonly string[]) => request('GET /api/folders', ...headers)
  const absolute = (url: string, ...headers: readonly string[]) =>
    request(`GET ${url}`, ...(headers.length > 0 ? headers : [host, bearer]))
  return [
    keeps('no Host', '400 api', folders()),
    keeps('an empty Host', '400 api', folders('Host:')),
    keeps('two Hosts', '400 api', folders(host, `Host: ${canary}`)),
    keeps('the same Host twice', '400 api', folders(host, host)),
    keeps('two Hosts in one line', '400 api', folders(`${host}, ${canary}`)),
    keeps('a Host with a path', '400 api', folders(`${host}/${canary}`)),
    keeps('a Host with a user', '400 api', folders(`Host: ${canary}@${base}`)),
    keeps('a Host with a space', '400 api', folders(`Host: ${canary} a`)),
    keeps('a Host with a wrong port', '400 api', folders('Host: 127.0.0.1:99999')),
    keeps('a Host with a scheme', '400 api', folders(`Host: http://${base}`)),
    keeps('a Host of octets above 127', '400 api', folders(`Host: \xe4${canary}`)),
    keeps('an unknown Host', '404 api', folders(`Host: ${canary}.example`, bearer)),
    keeps('an unknown IPv6 Host', '404 api', folders('Host: [::1]', bearer)),
    keeps('the Host of links', '404 api', folders(`Host: ${link}`, bearer)),
    keeps('no Host at a path of none', '400 json', request(`GET /a/${canary}`)),
    keeps('no Host for a link', '400 page', request(`GET /${canary}`)),
    keeps('an unknown Host for a link', '404 json', request(`GET /${canary}`, 'Host: other.example')),
    keeps('health on an unknown Host', '200 json', request('GET /healthz', `Host: ${canary}.example`)),
    keeps('readiness without a Host', '400 json', request('GET /readyz')),
    keeps('the absolute form', '200 api', absolute(`http://${base}/api/folders?${canary}`)),
    keeps('the absolute form of https', '200 api', absolute(`https://${base}/api/folders`)),
    keeps('the absolute form of another host', '404 api', absolute(`http://${canary}.example/api/folders`)),
    keeps('the absolute form of the other host', '404 api', absolute(`http://${link}/api/folders`)),
    keeps('the absolute form with a user', '400 api', absolute(`http://${canary}@${base}/api/folders`)),
    keeps('the absolute form without a host', '400 api', absolute('http:///api/folders')),
    keeps('another scheme', '404 json', absolute(`ftp://${base}/${canary}`)),
    keeps('the absolute form with a wrong bracket', '400 api', absolute(`http://[::/api/folders`)),
    closes('a header without a colon', notHttp, folders(host, `A ${canary}`)),
    closes('a header without a name', notHttp, folders(host, `: ${canary}`)),
    closes('a space in a name', notHttp, folders(host, `A b: ${canary}`)),
    closes('a space before the colon', notHttp, folders(host, `Content-Length : 1`)),
    closes('NUL in a name', notHttp, folders(host, `A\0: ${canary}`)),
    closes('NUL in a value', notHttp, folders(host, `A: \0${canary}`)),
    closes('a bare CR in a value', notHttp, folders(host, `A: b\rB: ${canary}`)),
    closes('a folded line', notHttp, folders(host, `A: b`, ` ${canary}`)),
    closes('a space before the first header', notHttp, head('GET /api/folders HTTP/1.1', ` ${host}`)),
    keeps('octets above 127 in a value', '401 api', folders(host, `A: \xff\xfe${canary}`)),
    keeps('500 headers', '200 api', folders(host, bearer, ...many(500))),
    closes('5,000 headers', '431 api', folders(host, bearer, ...many(5_000))),
    closes('a header of 17,000 bytes', '431 api', folders(host, `A: ${canary.repeat(1_900)}`)),
    closes('a name of 17,000 bytes', '431 api', folders(host, `${canary.repeat(1_900)}: a`)),
    keeps('two tokens', '401 api', folders(host, bearer, `Authorization: Bearer ${canary}`)),
    keeps('another scheme of authorization', '401 api', folders(host, `Authorization: Basic ${canary}`)),
    keeps('a token of 10,000 bytes', '401 api', folders(host, `Authorization: Bearer ${'a'.repeat(10_000)}`)),
    keeps('an Accept of 10,000 types', '200 api', folders(host, bearer, `Accept: ${'a/b,'.repeat(3_000)}`)),
    keeps('a Range', '200 api', folders(host, bearer, 'Range: bytes=0-1', `If-None-Match: "${canary}"`)),
    keeps('prototype names', '200 api', folders(host, bearer, '__proto__: a', 'constructor: b')),
  ]
}

function many(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `A${at}: b`)
}
