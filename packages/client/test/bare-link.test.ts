import t from 'tap'
import { bareLink } from '../src/index.ts'
import { startService } from './support/service.ts'

const token = `Ab-_${'9'.repeat(39)}`

// Promise (Clients): A link that was copied with what is around it is the link
t.test('what a text puts around a link is left aside', (t) => {
  for (const path of [`/${token}`, `/r/${token}`, `/below/${token}`]) {
    const link = `https://s.example.org${path}`
    const around = [
      ...[
        link,
        `${link}.`,
        `${link},`,
        `${link}/`,
        `${link}//`,
        `${link}).`,
        `${link}…`,
        `${link}'`,
        `${link}]`,
      ],
      ...[
        `<${link}>`,
        `<${link}>,`,
        `(${link})`,
        `"${link}"`,
        `['${link}']`,
        ` ${link} \n`,
        `\t<${link}>\r\n`,
      ],
      ...[
        `${link}%3E`,
        `${link}%22`,
        `${link}%E2%80%A6`,
        `${link}%2F`,
        `${link}%5D.`,
        link.replace('-', '%2D'),
      ],
    ]
    for (const text of around) t.equal(decodeURIComponent(bareLink(text).href), link, text)
    t.equal(bareLink(new URL(`${link}.`)).href, link)
    t.equal(bareLink(`<${link}.?utm=x>`).pathname, path, 'a query stays')
  }
  t.end()
})

t.test('what is not a link stays as it is, and what is no URL is wrong use', (t) => {
  const others = [
    `/${token}x.`,
    `/${token.slice(1)}.`,
    `/${token}/a`,
    `/${token}.a`,
    '/',
    '/%FF.',
    `/${token};`,
  ]
  for (const path of others) t.equal(bareLink(`https://s.example.org${path}`).pathname, path)
  for (const text of ['', '<>', token, `ftp://s.example.org/${token}`, `https://a:b@s.example.org/${token}`])
    t.throws(() => bareLink(text), TypeError)
  t.end()
})

// Promise (Clients): The client and the server read a link in the same way
t.test('the server opens and answers whatever the client takes for the link', async (t) => {
  const { client, folderId, sotto, memory } = await startService(t)
  const { link } = await client.createSecret({ label: 'L', note: 'n', folderId })
  const accountId = [...memory.data.accounts.keys()][0] ?? ''
  const asked = { accountId, folderId, title: 'Router', answersAllowed: 100 }
  const request = (await sotto.createRequest(asked))._unsafeUnwrap()
  const requestUrl = `${new URL(link.url).origin}/r/${request.link.token}`
  const printed = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))
  let taken = 0
  for (const end of [...printed, '…', '%20', '%3E', '/.', '.a', '/a']) {
    if ('?#'.includes(end)) continue
    for (const [url, body] of [
      [link.url, {}],
      [requestUrl, { note: 'n' }],
    ] as const) {
      const isTaken = bareLink(url + end).href === url
      const init = {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }
      const { status } = await fetch(url + end, init)
      t.equal(status < 300, isTaken, url + end)
      taken += Number(isTaken)
    }
  }
  t.equal(taken, 2 * 12)
  t.equal((await client.openLink(`<${link.url}>.`)).note, 'n')
  t.match(await client.answerRequest(`(${requestUrl}/)`, 'a'), { receivedAt: /Z$/ })
})
