import t from 'tap'
import {
  aBoolean,
  aFunction,
  aListOfStrings,
  aNumber,
  anObject,
  anObjectOf,
  aString,
  checkOf,
  oneOf,
  type InputOf,
} from '../../src/shared/inputs.ts'

const takes = { text: aString }
const mayTake = {
  count: aNumber,
  flag: aBoolean,
  call: aFunction<() => number>,
  thing: anObject<Map<string, string>>,
  names: aListOfStrings,
  choice: oneOf('one', 'two'),
  nested: anObjectOf({ label: aString }, { size: aNumber }),
}
type Input = InputOf<typeof takes, typeof mayTake>

const check = checkOf(takes, mayTake)

const wrong = (field: string) => ({ field, rule: 'wrong_type' }) as const
const unknown = (field: string) => ({ field, rule: 'unknown_name' }) as const

const cases: readonly (readonly [name: string, input: unknown, errors: readonly object[]])[] = [
  ['what has to be there', { text: 'a' }, []],
  [
    'every field',
    {
      ...{ text: 'a', count: 1, flag: false, call: () => 1, thing: new Map(), names: ['a'], choice: 'two' },
      nested: { label: 'a', size: 1 },
    },
    [],
  ],
  ['a missing field', {}, [wrong('text')]],
  ['undefined where a field has to be', { text: undefined }, [wrong('text')]],
  ['undefined where one may be missing', { text: 'a', count: undefined, nested: undefined }, []],
  ['null', { text: null, count: null }, [wrong('text'), wrong('count')]],
  ['a number instead of a string', { text: 3 }, [wrong('text')]],
  ['a string instead of a number', { text: 'a', count: '3' }, [wrong('count')]],
  ['a string instead of a boolean', { text: 'a', flag: 'yes' }, [wrong('flag')]],
  ['a value instead of a function', { text: 'a', call: true }, [wrong('call')]],
  ['a list instead of an object', { text: 'a', thing: [] }, [wrong('thing')]],
  ['null instead of an object', { text: 'a', thing: null }, [wrong('thing')]],
  ['a list with another type in it', { text: 'a', names: ['a', 1] }, [wrong('names')]],
  ['a text instead of a list of texts', { text: 'a', names: 'a' }, [wrong('names')]],
  ['a choice that there is not', { text: 'a', choice: 'three' }, [wrong('choice')]],
  ['a wrong type further in', { text: 'a', nested: { label: 1 } }, [wrong('nested')]],
  ['an unknown name further in', { text: 'a', nested: { label: 'a', sice: 1 } }, [wrong('nested')]],
  ['an unknown name', { text: 'a', opens: 3 }, [unknown('opens')]],
  ['an unknown name without a value', { text: 'a', opens: undefined }, []],
  ['a name that every object inherits', { text: 'a', toString: 1 }, [unknown('toString')]],
  ['all errors at once', { opens: 3, text: 1, flag: 0 }, [unknown('opens'), wrong('text'), wrong('flag')]],
  ['undefined', undefined, [wrong('input')]],
  ['null as the input', null, [wrong('input')]],
  ['a text as the input', 'text', [wrong('input')]],
  ['a list as the input', [], [wrong('input')]],
]

for (const [name, input, errors] of cases) {
  t.test(`an input is checked: ${name}`, (t) => {
    t.strictSame(check(input), errors)
    t.end()
  })
}

t.test('an input that is not as its fields say does not compile', (t) => {
  const right: Input = { text: 'a', choice: 'two', nested: { label: 'a' }, count: undefined }
  // @ts-expect-error -- a field is missing
  const missing: Input = { count: 1 }
  // @ts-expect-error -- there is no such field
  const superfluous: Input = { text: 'a', sice: 1 }
  // @ts-expect-error -- it is a text
  const ofOtherType: Input = { text: 1 }
  // @ts-expect-error -- three is no choice
  const otherChoice: Input = { text: 'a', choice: 'three' }
  // @ts-expect-error -- further in, a field is missing
  const furtherIn: Input = { text: 'a', nested: { size: 1 } }
  t.equal([right, missing, superfluous, ofOtherType, otherChoice, furtherIn].length, 6)
  t.end()
})
