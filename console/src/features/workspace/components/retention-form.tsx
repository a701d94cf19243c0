import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { workspaceQuery } from '../../../api/workspace'
import { FormFrame, useApiForm } from '../../../design/forms'
import {
  RetentionFields,
  type RetentionValues,
  retentionBodyOf,
  retentionValuesOf,
} from '../../../design/retention-fields'
import type { Profile } from '../queries'

type Values = RetentionValues & Record<string, unknown>

/** Retention periods of the workspace. */
export function RetentionForm({ profile }: { profile: Profile }) {
  const sending = useApiForm<Values>({
    initialValues: retentionValuesOf(profile),
    send: async (_, changed) => dataOf(api.PATCH('/profile', { body: changed(retentionBodyOf) })),
    version: profile.updated_at,
    changes: [workspaceQuery.queryKey],
  })
  const { form } = sending
  const { calls, messages, recordings, ledger, webhook_deliveries, audit_log } = profile.retention
  return (
    <FormFrame api={sending} onlyChanged>
      <RetentionFields
        inputPropsOf={(field) => form.getInputProps(field)}
        kept={{
          ...{ call_retention_days: calls, message_retention_days: messages },
          ...{ recording_retention_days: recordings, ledger_retention_days: ledger },
          webhook_delivery_retention_days: webhook_deliveries,
          audit_log_retention_days: audit_log,
        }}
      />
    </FormFrame>
  )
}
