/** Form rows that become the fields of an object: of two rows with one name, the second would overwrite the first. */

/** Whether an earlier row has the same name. @param path of the row's name in the form: `headers.1.name` */
export function isTwice(names: readonly string[], path: string): boolean {
  const index = Number(/\.(\d+)\./.exec(path)?.[1])
  const name = names[index]
  return name !== undefined && name !== '' && names.indexOf(name) < index
}
