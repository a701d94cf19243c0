/**
 * A form for the endpoints that take files: `body: formOf({ file })`, a `File`, or a `Blob` with a `name`. It goes
 * out as multipart/form-data; its type is that of the body that the endpoint declares.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- it is inferred from where the form goes
export function formOf<Body>(fields: Record<string, string | Blob>): Body {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form as Body
}
