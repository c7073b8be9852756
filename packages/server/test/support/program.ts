import { fileURLToPath } from 'node:url'

/** The source of the command, whose modules are files: for tests of what is loaded. */
export const source = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/**
 * The file of the command `sotto`, for processes. The test runner bundles it as it is published, because such a process starts in a quarter of
 * the time; a test that is run without it takes the source.
 */
export const program = process.env['TEST_PROGRAM'] ?? source
