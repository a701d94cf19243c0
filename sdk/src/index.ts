/**
 * The Jackfield API as a typed client, for Node and browsers. Paths, parameters and answers are typed
 * from the OpenAPI document; `client.GET('/phone-numbers', …)` resolves to `{data, error, response}`.
 */
export { type List, type Outcome, dataOf, rowsOf } from './answers.js'
export { type ClientOptions, type JackfieldClient, createClient } from './client.js'
export { ApiError, type ApiErrorBody, type FieldProblem } from './errors.js'
export { formOf } from './forms.js'
export type { components, operations, paths } from './openapi.js'
