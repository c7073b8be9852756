import t from 'tap'
import { describeThrown } from '../../../src/http/answers/log.ts'

t.test(
  'a log gets the type, the code and the origin of what was thrown, and never its message',
  async (t) => {
    const error = Object.assign(new RangeError('confidential\n    at confidential (confidential)'), {
      code: 'E_X',
    })
    const described = describeThrown(error)
    t.equal(described.type, 'RangeError')
    t.equal(described['code'], 'E_X')
    t.match(described.stack, /^at .*errors\.test\.ts/)
    t.notMatch(JSON.stringify(described), /confidential/)
  },
)

t.test('a thrown value that is not an Error is described by its type', async (t) => {
  t.same(describeThrown('confidential'), { type: 'string', message: '', stack: '' })
  t.same(describeThrown(undefined), { type: 'undefined', message: '', stack: '' })
})

t.test('an Error without message or stack is described too', async (t) => {
  t.match(describeThrown(new Error()), { type: 'Error', stack: /^at / })
  t.same(describeThrown(Object.assign(new Error('x'), { stack: undefined })), {
    type: 'Error',
    message: '',
    stack: '',
  })
})
