import t from 'tap'
import { fieldMessages, isOfType, isReportable } from '../../src/shared/field-messages.ts'

t.test('invalid fields are named as on the wire', async (t) => {
  t.same(
    fieldMessages([
      { field: 'folderId', rule: 'unknown_folder' },
      { field: 'openLimit', rule: 'out_of_range', limit: 1_000_000 },
    ]),
    {
      folder_id: ['is not the id of a folder of yours'],
      open_limit: ['must be a whole number from 0 to 1000000'],
    },
  )
})

t.test('lengths are given in the unit of their field', async (t) => {
  t.same(
    fieldMessages([
      { field: 'label', rule: 'too_long', limit: 255 },
      { field: 'note', rule: 'too_long', limit: 65_536 },
      { field: 'password', rule: 'too_long', limit: 1_024 },
    ]),
    {
      label: ['must be at most 255 characters long'],
      note: ['must be at most 65536 bytes of UTF-8 long'],
      password: ['must be at most 1024 bytes of UTF-8 long'],
    },
  )
})

t.test('a field that breaks several rules has all of their messages', async (t) => {
  t.same(
    fieldMessages([
      { field: 'label', rule: 'empty' },
      { field: 'label', rule: 'control_character' },
    ]),
    { label: ['must not be empty', 'must not contain control characters'] },
  )
})

t.test('a name with anything but 32 lower-case letters and underscores is not repeated', async (t) => {
  for (const name of ['a', '_', 'folder_id', 'x'.repeat(32)]) t.ok(isReportable(name), name)
  for (const name of ['', 'A', 'a1', 'a-b', 'a\n', 'ä', 'x'.repeat(33)]) t.notOk(isReportable(name), name)
})

t.test('types are those of JSON, and an integer has no fraction', async (t) => {
  t.ok(isOfType('', 'string') && isOfType(false, 'boolean') && isOfType(3, 'integer'))
  for (const value of [null, undefined, [], {}, '3', true, 2.5, Infinity])
    t.notOk(isOfType(value, 'integer'), JSON.stringify(value))
})
