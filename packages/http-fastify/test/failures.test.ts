import t from 'tap'
import { describeThrown } from '../src/failures.ts'

t.test('a log gets kind, code and origin of what was thrown, and never its message', async (t) => {
  const error = Object.assign(new RangeError('confided\n    at confided (confided)'), { code: 'E_X' })
  const described = describeThrown(error)
  t.equal(described.type, 'RangeError')
  t.equal(described['code'], 'E_X')
  t.match(described.stack, /^at .*failures\.test\.ts/)
  t.notMatch(JSON.stringify(described), /confided/)
})

t.test('what is no error is described by its type', async (t) => {
  t.same(describeThrown('confided'), { type: 'string', message: '', stack: '' })
  t.same(describeThrown(undefined), { type: 'undefined', message: '', stack: '' })
})

t.test('an error without a message or stack is described as well', async (t) => {
  t.match(describeThrown(new Error()), { type: 'Error', stack: /^at / })
  t.same(describeThrown(Object.assign(new Error('x'), { stack: undefined })), {
    type: 'Error',
    message: '',
    stack: '',
  })
})
