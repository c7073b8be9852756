import type { Scope } from '../../support/browser.ts'

/** A browser engine that the ways run in. */
export interface Engine {
  /** Why its tests cannot run on this machine. */
  readonly missing: string | undefined
  /** Starts its browser, which ends with the scope. */
  launch(scope: Scope): Promise<LaunchedEngine>
}

export interface LaunchedEngine {
  /** A window in a fresh profile, in which the page's own scripts run unless `scripts` is false. It closes with the scope. */
  open(scope: Scope, scripts?: boolean): Promise<Driver>
}

/**
 * One window of a browser, in the words of a driver; those of people are in `visitor.ts`. Elements are found by scripts in the page, so that
 * each engine finds them by the same rules.
 */
export interface Driver {
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
  back(): Promise<unknown>
  /** The value of an expression, as JSON has it. */
  evaluate(expression: string): Promise<unknown>
  /** Presses the mouse at a point of the window, in CSS pixels. */
  click(x: number, y: number): Promise<void>
  /** Types where the focus is. */
  type(text: string): Promise<void>
  /** Chooses files, as the window of the system does. `field` is an expression. */
  upload(field: string, paths: readonly string[]): Promise<void>
  /** The text that is pasted into an empty field of another page. */
  paste(): Promise<string>
  /** The folder in which files are saved. */
  readonly downloads: string
  /** Errors so far: those that scripts throw, those on the console, and violations of the content security policy. */
  complaints(): Promise<readonly string[]>
  /** Deletes all cookies. */
  forget(): Promise<void>
}

/** An expression of a text, for the expressions above. */
export const quoted = (text: string): string => JSON.stringify(text)

/** Gives an empty page a field that has the focus. */
export const emptyField = `
document.body.append(document.createElement('textarea'))
document.querySelector('textarea').focus()
`
