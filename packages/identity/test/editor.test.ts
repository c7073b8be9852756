import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'

// What an editor shows of a bound use-case, asked of the compiler as an editor asks it.

const file = join(import.meta.dirname, 'shown.ts')
const source = "import type { FullSotto } from '../src/index.ts'\nexport declare const sotto: FullSotto\n"
const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}
const host = ts.createCompilerHost(options)
const { getSourceFile, fileExists } = host
host.fileExists = (name) => name === file || fileExists(name)
host.getSourceFile = (name, ...how) =>
  name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2023) : getSourceFile(name, ...how)
const program = ts.createProgram([file], options, host)
const checker = program.getTypeChecker()

const useCases = checker
  .getTypeOfSymbol(the(exportsOf(file)[0]))
  .getProperties()
  .filter(({ name }) => name !== 'policy')

/** Errors that many use-cases can return: their texts need not name them. */
const general = [
  ...['storage_unavailable', 'storage_failed', 'data_damaged', 'key_retired', 'key_unknown'],
  'fields_invalid',
]

/** What a type cannot tell: the operator may take the last authenticator. */
const neverReturned: Readonly<Record<string, string>> = { removeIdentity: 'last_way_in' }

t.test('an editor shows the text of every bound use-case, which names its errors', (t) => {
  t.ok(useCases.length > 110, `${String(useCases.length)} use-cases`)
  for (const useCase of useCases) {
    const { text, errors } = shownOf(useCase)
    t.not(text, '', useCase.name)
    const isNamed = (code: string): boolean =>
      general.includes(code) || neverReturned[useCase.name] === code || `${text} ${errors}`.includes(code)
    t.strictSame(
      codesOf(useCase).filter((code) => !isNamed(code)),
      [],
      `${useCase.name} names its errors`,
    )
  }
  t.end()
})

/** Fields whose names say everything. */
const plain = [
  ...[
    'accountId',
    'id',
    'ids',
    'folderId',
    'email',
    'token',
    'ticket',
    'session',
    'sessionId',
    'bucket',
    'lease',
    'kind',
  ],
  ...['files', 'idempotencyKey', 'expiresAtMicros', 'invitation', 'notify'],
]

t.test('an editor shows the text of every field that a use-case takes', (t) => {
  const fields = useCases.flatMap((useCase) => fieldsOf(useCase))
  t.ok(fields.length > 200, `${String(fields.length)} fields`)
  const without = fields.filter((field) => shownOf(field).text === '').map(({ name }) => name)
  t.strictSame(
    [...new Set(without)].filter((name) => !plain.includes(name)),
    [],
  )
  t.end()
})

function the<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the compiler does not know it')
  return value
}

function exportsOf(name: string): readonly ts.Symbol[] {
  return checker.getExportsOfModule(the(checker.getSymbolAtLocation(the(program.getSourceFile(name)))))
}

function shownOf(symbol: ts.Symbol): { readonly text: string; readonly errors: string } {
  const tags = symbol.getJsDocTags(checker).filter(({ name }) => name === 'errors')
  return {
    text: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
    errors: tags.map((tag) => ts.displayPartsToString(tag.text)).join(' '),
  }
}

function signatureOf(useCase: ts.Symbol): ts.Signature {
  return the(checker.getTypeOfSymbol(useCase).getCallSignatures()[0])
}

/** The fields of what a use-case takes. */
function fieldsOf(useCase: ts.Symbol): readonly ts.Symbol[] {
  const [given] = signatureOf(useCase).parameters
  if (given === undefined) return []
  const type = checker.getTypeOfSymbol(given)
  const [input] = checker.isTupleType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [type]
  return input === undefined ? [] : checker.getNonNullableType(input).getProperties()
}

/** The codes of what a use-case can return: the second argument of `ResultAsync` or `List`. */
function codesOf(useCase: ts.Symbol): readonly string[] {
  const returned = signatureOf(useCase).getReturnType()
  const errors = (returned.aliasTypeArguments ?? checker.getTypeArguments(returned as ts.TypeReference))[1]
  const types = errors === undefined ? [] : errors.isUnion() ? errors.types : [errors]
  return types.flatMap((type) => {
    const code = type.getProperty('code')
    const literal = code && checker.getTypeOfSymbol(code)
    return literal?.isStringLiteral() === true ? [literal.value] : []
  })
}
