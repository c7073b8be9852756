/** The document of `draft delete`, `folder delete` and `account delete`. */
export function toWireDeleted(id: string) {
  return { id, deleted: true }
}
