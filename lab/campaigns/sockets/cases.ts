import { framingCases } from './framing-cases.ts'
import { hostCases } from './host-cases.ts'
import { connectionCases } from './connection-cases.ts'
import { lineCases } from './line-cases.ts'
import type { RawCase, Scene } from './raw-case.ts'

/** Raw requests, most of them malformed, and how they are answered. */
export function rawCases(scene: Scene): readonly RawCase[] {
  return [...lineCases(scene), ...hostCases(scene), ...framingCases(scene), ...connectionCases(scene)]
}
