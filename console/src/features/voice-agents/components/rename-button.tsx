import { dataOf } from '@jackfield/sdk'
import { Button, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { api } from '../../../api/client'
import { FormFrame, FormModal, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { voiceAgentsKey } from '../queries'
import { voiceAgentsTexts } from '../texts'

export function RenameButton({ id, name }: { id: string; name: string }) {
  const t = useTexts(voiceAgentsTexts)
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={18} />} onClick={open}>
        {t('rename')}
      </Button>
      <FormModal title={t('rename')} opened={isOpen} onClose={close}>
        <RenameForm id={id} name={name} onDone={close} />
      </FormModal>
    </>
  )
}

function RenameForm({ id, name, onDone }: { id: string; name: string; onDone: () => void }) {
  const t = useTexts(voiceAgentsTexts)
  const sending = useApiForm({
    initialValues: { name },
    send: async (body) => dataOf(api.PATCH('/voice-agents/{id}', { params: { path: { id } }, body })),
    changes: [voiceAgentsKey],
    onDone,
  })
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <TextInput
        label={t('name')}
        required
        maxLength={30}
        data-autofocus
        {...sending.form.getInputProps('name')}
      />
    </FormFrame>
  )
}
