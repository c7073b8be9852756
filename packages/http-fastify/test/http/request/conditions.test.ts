import t from 'tap'
import { conditionOf, rangeField } from '../../../src/http/request/conditions.ts'

const etag = '"a-1"'

t.test('a condition that names the entity tag holds', (t) => {
  for (const match of ['"a-1"', '*', ' * ', '"x", "a-1"', '"x",W/"y","a-1"'])
    t.equal(conditionOf({ 'if-match': match }, etag), undefined, match)
  for (const match of ['"a-2"', 'W/"a-1"', '', 'a-1', '"x, "a-1""'])
    t.equal(conditionOf({ 'if-match': match }, etag), 'failed', match)
  t.end()
})

t.test('what the client has is not sent again', (t) => {
  for (const match of ['"a-1"', 'W/"a-1"', '*', '"x", "a-1"'])
    t.equal(conditionOf({ 'if-none-match': match }, etag), 'unchanged', match)
  t.equal(conditionOf({ 'if-none-match': '"a-2"' }, etag), undefined)
  t.equal(conditionOf({ 'if-match': '"a-2"', 'if-none-match': '"a-1"' }, etag), 'failed')
  t.equal(conditionOf({ 'if-modified-since': 'Thu, 26 Nov 2026 12:00:00 GMT' }, etag), undefined)
  t.end()
})

t.test('a range is taken from a GET whose If-Range names the entity tag', (t) => {
  const field = (method: string, headers: Record<string, string>) =>
    rangeField({ method, headers: { range: 'bytes=1-', ...headers } }, etag)
  t.equal(field('GET', {}), 'bytes=1-')
  t.equal(field('GET', { 'if-range': '"a-1"' }), 'bytes=1-')
  for (const other of ['"a-2"', 'W/"a-1"', 'Thu, 26 Nov 2026 12:00:00 GMT'])
    t.equal(field('GET', { 'if-range': other }), undefined, other)
  t.equal(field('HEAD', {}), undefined)
  t.end()
})
