import t from 'tap'
import {
  aListOfStrings,
  anObject,
  inputCheck,
  objectOf,
  oneOf,
  optional,
  type Shape,
} from '../../src/shared/inputs.ts'

interface Nested {
  readonly label: string
  readonly size?: number | undefined
}

interface Input {
  readonly text: string
  readonly count?: number | undefined
  readonly flag?: boolean | undefined
  readonly call?: (() => number) | undefined
  readonly thing?: Map<string, string> | undefined
  readonly names?: readonly string[] | undefined
  readonly choice?: 'one' | 'two' | undefined
  readonly nested?: Nested | undefined
}

const shape: Shape<Input> = {
  text: 'string',
  count: 'number?',
  flag: 'boolean?',
  call: 'function?',
  thing: optional(anObject<Map<string, string>>),
  names: optional(aListOfStrings),
  choice: optional(oneOf('one', 'two')),
  nested: optional(objectOf<Nested>({ label: 'string', size: 'number?' })),
}

const check = inputCheck<Input>(shape)

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

t.test('a shape that is out of step with its type does not compile', (t) => {
  // @ts-expect-error -- a field is missing
  const missing: Shape<Nested> = { label: 'string' }
  // @ts-expect-error -- there is no such field
  const superfluous: Shape<Nested> = { label: 'string', size: 'number?', sice: 'number?' }
  // @ts-expect-error -- it is a text
  const ofOtherType: Shape<Nested> = { label: 'number', size: 'number?' }
  // @ts-expect-error -- it may be missing
  const required: Shape<Nested> = { label: 'string', size: 'number' }
  // @ts-expect-error -- not every text is one of the choices
  const anyText: Shape<{ readonly choice: 'one' | 'two' }> = { choice: 'string' }
  // @ts-expect-error -- three is no choice
  const otherChoice: Shape<{ readonly choice: 'one' | 'two' }> = { choice: oneOf('one', 'three') }
  t.equal([missing, superfluous, ofOtherType, required, anyText, otherChoice].length, 6)
  t.end()
})
