import { newOwner, ownerPassword } from '../../support/owner.ts'
import type { Site } from '../../support/site.ts'
import type { Visitor } from './visitor.ts'

/** Where a way happens: two people, each in front of a window of their own, who have not been here before. */
export interface Stage {
  readonly site: Site
  readonly owner: Visitor
  /** A recipient or stranger. */
  readonly guest: Visitor
}

/** Signs in as a new owner with a folder. */
export async function enter(visitor: Visitor, site: Site): Promise<void> {
  const owner = await newOwner(site)
  await owner.folder('Folder')
  await visitor.goto(site.origin)
  await visitor.fill('Email', owner.email)
  await visitor.fill('Password', ownerPassword)
  await visitor.press('Sign in')
}
