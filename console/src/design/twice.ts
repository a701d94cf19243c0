/** Rows of a form that become the fields of an object: of two with one name, the second would take the first's place. */

/** Whether a row before this one has its name. @param path of the row's name in the form: `headers.1.name` */
export function isTwice(names: readonly string[], path: string): boolean {
  const index = Number(/\.(\d+)\./.exec(path)?.[1])
  const name = names[index]
  return name !== undefined && name !== '' && names.indexOf(name) < index
}
