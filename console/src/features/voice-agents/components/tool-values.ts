/** Converts a tool between the API's format and form rows. */
import { type HeaderRow, headerFieldIn, headerRowsOf, headersOf } from '../../../design/headers'
import type { Tool, ToolParameter } from '../queries'

export interface ParameterRow {
  name: string
  type: ToolParameter['type']
  description: string
  /** Allowed values; empty: any. */
  values: string[]
  required: boolean
}

export interface ToolValues extends Record<string, unknown> {
  name: string
  description: string
  webhook_url: string
  webhook_method: Tool['webhook_method']
  headers: HeaderRow[]
  parameters: ParameterRow[]
  is_active: boolean
}

export const methods: Tool['webhook_method'][] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function valuesOf(tool: Tool | null): ToolValues {
  return {
    name: tool?.name ?? '',
    description: tool?.description ?? '',
    webhook_url: tool?.webhook_url ?? '',
    webhook_method: tool?.webhook_method ?? 'POST',
    headers: headerRowsOf(tool?.webhook_headers),
    parameters: Object.entries(tool?.parameters ?? {}).map(([name, parameter]) => ({
      ...{ name, type: parameter.type, description: parameter.description ?? '' },
      ...{ values: parameter.enum ?? [], required: parameter.required ?? false },
    })),
    is_active: tool?.is_active ?? true,
  }
}

export function bodyOf({ headers, parameters, ...values }: ToolValues) {
  return {
    ...values,
    webhook_headers: headersOf(headers),
    parameters: Object.fromEntries(
      parameters.map(({ name, type, description, values: only, required }) => [
        name,
        { type, description, required, ...(type === 'string' && only.length > 0 && { enum: only }) },
      ]),
    ),
  }
}

/** `parameters.order.description` of the API is that of the row that is called `order`. */
export function fieldOf(field: string, { headers, parameters }: ToolValues): string {
  const [group, name, part] = field.split('.')
  if (group === 'parameters' && name !== undefined) {
    const index = parameters.findIndex((row) => row.name === name)
    return index < 0 ? field : `parameters.${index}.${part === 'enum' ? 'values' : (part ?? 'name')}`
  }
  return headerFieldIn(field, headers, 'webhook_headers')
}
