/** Saves the steps; asks first if someone else has saved the flow since it was opened. */
import { dataOf } from '@jackfield/sdk'
import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client'
import { isStatus } from '../../../api/errors'
import { complain } from '../../../api/use-action'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import type { Step } from '../model/steps'
import { type Flow, flowQuery, flowsKey, versionsQuery } from '../queries'
import { editorTexts } from '../texts'

interface SavingOptions {
  steps: readonly Step[]
  onSaved: (steps: readonly Step[]) => void
  /** The steps have problems. */
  onRefused: () => void
}

export function useSaving(flow: Flow, { steps, onSaved, onRefused }: SavingOptions) {
  const t = useTexts(editorTexts)
  const words = useTexts(common)
  const client = useQueryClient()
  const [kept, setKept] = useState(flow)
  /** The version that the editor's steps are based on. */
  const [base, setBase] = useState(flow.version)
  const [isSaving, setSaving] = useState(false)
  const params = { path: { id: flow.id } }

  /** Updates the flow's title and settings, but not its steps: those in the editor may be based on an older version. */
  const keep = ({ title, trigger_type, updated_at }: Flow) => {
    const now = { ...kept, title, trigger_type, updated_at }
    setKept(now)
    client.setQueryData(flowQuery(flow.id).queryKey, now)
    void client.invalidateQueries({ queryKey: [...flowsKey, 'list'] })
    void client.invalidateQueries({ queryKey: versionsQuery(flow.id).queryKey })
  }
  const askToOverwrite = () =>
    modals.openConfirmModal({
      title: t('overwriteQuestion'),
      children: <Text>{t('overwriteWarning')}</Text>,
      labels: { confirm: t('overwrite'), cancel: words('cancel') },
      onConfirm: () => void save(true),
    })

  async function save(isMeant: boolean): Promise<void> {
    if (isSaving) return
    setSaving(true)
    try {
      const body = { nodes: [...steps], ...(!isMeant && { base_version: base }) }
      const saved = await dataOf(api.PATCH('/call-flows/{id}', { params, body }))
      setBase(saved.version)
      keep(saved)
      onSaved(steps)
      notifications.show({ message: t('savedVersion'), color: 'green' })
    } catch (error) {
      if (isStatus(error, 409) && !isMeant) askToOverwrite()
      else if (!isStatus(error, 400)) complain(error)
      else {
        onRefused()
        notifications.show({ message: t('saveFailed'), color: 'red' })
      }
    } finally {
      setSaving(false)
    }
  }

  return { kept, save, isSaving, keep }
}
