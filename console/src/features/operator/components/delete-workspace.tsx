import { dataOf } from '@jackfield/sdk'
import { Button, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { checklistKey, workspacesKey } from '../../../api/platform'
import { FormFrame, FormModal, useApiForm } from '../../../design/forms'
import { SectionCard } from '../../../design/section-card'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import type { Workspace } from '../queries'
import { workspacesTexts } from '../texts'

/** A whole customer goes: far from the other buttons, and only by its id. */
export function DeleteWorkspace({ workspace }: { workspace: Workspace }) {
  const [t, words] = [useTexts(workspacesTexts), useTexts(common)]
  const [isAsking, { open, close }] = useDisclosure()
  return (
    <SectionCard title={t('deleteHeading')} hint={t('deleteConsequence')}>
      <Button
        style={{ alignSelf: 'flex-start' }}
        color="red"
        variant="outline"
        leftSection={<IconTrash size={18} aria-hidden />}
        onClick={open}
      >
        {words('delete')}
      </Button>
      <FormModal title={words('deleteQuestion', { name: workspace.title })} opened={isAsking} onClose={close}>
        <Question workspace={workspace} onCancel={close} />
      </FormModal>
    </SectionCard>
  )
}

function Question({ workspace: { id, title }, onCancel }: { workspace: Workspace; onCancel: () => void }) {
  const [t, words] = [useTexts(workspacesTexts), useTexts(common)]
  const navigate = useNavigate()
  const sending = useApiForm({
    initialValues: { typed: '' },
    send: async () => dataOf(api.DELETE('/workspaces/{id}', { params: { path: { id } } })),
    done: words('deleted', { name: title }),
    changes: [[...workspacesKey, 'list'], checklistKey],
    onDone: () => void navigate({ to: '/workspaces', search: {} }),
  })
  const { form } = sending
  return (
    <FormFrame
      api={sending}
      action={words('delete')}
      isDangerous
      disabled={form.values.typed.trim() !== id}
      onCancel={onCancel}
    >
      <Text>{t('deleteConsequence')}</Text>
      <TextInput
        label={t('deleteTyped', { id })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('typed')}
      />
    </FormFrame>
  )
}
