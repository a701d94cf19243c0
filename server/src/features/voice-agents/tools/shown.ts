/** A text as a timeline shows it. JSON columns of the database refuse halves of a surrogate pair. */
export function shown(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Cs}/gu, '\ufffd')
}
