import { canary, closes, ends, keeps, notHttp, request, type RawCase, type Scene } from './raw-case.ts'

/** Where a body ends: lengths, chunks, and requests that a body tries to smuggle in. */
export function framingCases({ base, token, folderId }: Scene): readonly RawCase[] {
  const json = [`Host: ${base}`, `Authorization: Bearer ${token}`, 'Content-Type: application/json']
  const post = (...headers: readonly string[]) => request('POST /api/secret', ...json, ...headers)
  const chunked = post('Transfer-Encoding: chunked')
  const smuggled = request(`GET /api/${canary}`, `Host: ${base}`)
  const secret = JSON.stringify({ label: 'l', note: canary, folder_id: folderId })
  const sized = (body: string) => post(`Content-Length: ${body.length}`) + body
  const hex = secret.length.toString(16)
  const refusedLength = (name: string, ...lengths: readonly string[]) =>
    closes(
      `a length of ${name}`,
      notHttp,
      post(...lengths.map((length) => `Content-Length: ${length}`)) + smuggled,
    )
  const refusedCoding = (name: string, ...codings: readonly string[]) =>
    closes(
      `a coding of ${name}`,
      notHttp,
      `${post(...codings.map((coding) => `Transfer-Encoding: ${coding}`))}0\r\n\r\n${smuggled}`,
    )
  const refusedChunk = (name: string, chunks: string) => closes(`chunks: ${name}`, notHttp, chunked + chunks)
  return [
    refusedLength('1 and 2', '1', '2'),
    refusedLength('1 twice', '1', '1'),
    refusedLength('1, 1', '1, 1'),
    refusedLength('+1', '+1'),
    refusedLength('-1', '-1'),
    refusedLength('0x1', '0x1'),
    refusedLength('1e1', '1e1'),
    refusedLength('1 1', '1 1'),
    refusedLength('nothing', ''),
    refusedLength('2^64', '18446744073709551616'),
    refusedLength('NUL', '1\0'),
    closes(
      'length and coding',
      notHttp,
      `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${smuggled}`,
    ),
    closes(
      'coding and length',
      notHttp,
      `${post('Transfer-Encoding: chunked', 'Content-Length: 5')}0\r\n\r\n${smuggled}`,
    ),
    refusedCoding('identity', 'identity'),
    refusedCoding('gzip', 'gzip'),
    refusedCoding('chunked, gzip', 'chunked, gzip'),
    refusedCoding('xchunked', 'xchunked'),
    refusedCoding('chunkedx', 'chunkedx'),
    refusedCoding('"chunked"', '"chunked"'),
    refusedCoding('a control character', '\x0bchunked'),
    refusedCoding('chunked and identity', 'chunked', 'identity'),
    refusedCoding('nothing', ''),
    closes(
      'a coding with a space before its colon',
      notHttp,
      `${post('Transfer-Encoding : chunked')}0\r\n\r\n${smuggled}`,
    ),
    refusedChunk('no size', `${canary}\r\n`),
    refusedChunk('0x1', '0x1\r\na\r\n0\r\n\r\n'),
    refusedChunk('-1', '-1\r\na\r\n0\r\n\r\n'),
    refusedChunk('17 digits', `${'f'.repeat(17)}\r\na`),
    refusedChunk('a longer chunk than its size', `1\r\n{${canary}\r\n0\r\n\r\n`),
    refusedChunk('a size without CR', '1\na\r\n0\r\n\r\n'),
    refusedChunk('a chunk without CR', '1\r\na\n0\r\n\r\n'),
    refusedChunk('NUL', '1\0\r\na\r\n0\r\n\r\n'),
    closes('extensions of 20,000 bytes', '413 api', `${chunked}1;${canary.repeat(2_223)}\r\n{\r\n0\r\n\r\n`),
    closes(
      'trailers of 20,000 bytes',
      '431 api',
      `${chunked}1\r\n{\r\n0\r\nA: ${canary.repeat(2_223)}\r\n\r\n`,
    ),
    keeps('chunks', '201 api', `${chunked}${hex}\r\n${secret}\r\n0\r\n\r\n`),
    keeps('an extension', '201 api', `${chunked}${hex};a=${canary}\r\n${secret}\r\n0\r\n\r\n`),
    keeps('a trailer', '201 api', `${chunked}${hex}\r\n${secret}\r\n0\r\nHost: ${canary}\r\n\r\n`),
    keeps(
      'a chunk for each byte',
      '201 api',
      chunked,
      ...Array.from(secret, (byte) => `1\r\n${byte}\r\n`),
      '0\r\n\r\n',
    ),
    keeps('parts', '201 api', ...(sized(secret).match(/[^]{1,50}/g) ?? [])),
    keeps('a request in a body', '400 api', sized(smuggled)),
    closes(
      'a longer body than its length',
      '400 api, 400 api',
      `${post('Content-Length: 2')}{}${canary}\r\n\r\n`,
    ),
    keeps('a request after a body', '400 api, 401 api', sized('{') + smuggled),
    keeps(
      'a body of GET',
      '401 api, 401 api',
      `${request('GET /api/folders', `Host: ${base}`, 'Content-Length: 3')}abc${smuggled}`,
    ),
    keeps('an empty body', '400 api', post('Content-Length: 0')),
    keeps('no length', '400 api', post()),
    keeps('NUL in a body', '400 api', sized(`{"label":"\0${canary}"}`)),
    keeps('no UTF-8', '400 api', sized(`{"label":"\xff${canary}"}`)),
    keeps('a depth of 10,000', '400 api', sized('['.repeat(10_000))),
    keeps('a compressed body', '415 api', `${post('Content-Encoding: gzip', 'Content-Length: 2')}{}`),
    keeps('two types', '415 api', `${post('Content-Type: text/plain', 'Content-Length: 2')}{}`),
    keeps('a body of 500,000 bytes', '413 api', sized('x'.repeat(500_000))),
    keeps('chunks of 500,000 bytes', '413 api', `${chunked}7a120\r\n${'x'.repeat(500_000)}\r\n0\r\n\r\n`),
    closes('a body of 10^12 bytes', '413 api', post('Content-Length: 1000000000000'), ...megabytes(18)),
    ends(
      'half-close',
      'a body that is too short',
      '400 api',
      `${post('Content-Length: 50')}{"label":"${canary}`,
    ),
    ends('half-close', 'chunks without an end', '400 api', `${chunked}1\r\n{\r\n`),
  ]
}

function megabytes(count: number): readonly string[] {
  return Array<string>(count).fill(' '.repeat(1024 * 1024))
}
