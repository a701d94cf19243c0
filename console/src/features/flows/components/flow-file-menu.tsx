/** Exports the steps as a file, and imports them from one. */
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload, IconFileCode, IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import { saveFile } from '../../../api/download'
import { useTexts } from '../../../i18n/texts'
import { WrongFlowFile, fileNameOf, flowFileOf, stepsIn } from '../model/flow-file'
import type { Flow } from '../queries'
import { editorTexts } from '../texts'
import { useEditing } from './editing'

export function FlowFileMenu({ flow }: { flow: Pick<Flow, 'title' | 'trigger_type'> }) {
  const t = useTexts(editorTexts)
  const { state, edit } = useEditing()
  const input = useRef<HTMLInputElement>(null)
  const take = async (file: File) => {
    try {
      const steps = await stepsIn(file)
      edit({ do: 'replace', steps })
      notifications.show({ message: t('imported', { count: steps.length }), color: 'green' })
    } catch (error) {
      const reason = error instanceof WrongFlowFile ? error.reason : 'fileNoJson'
      notifications.show({ message: t(reason), color: 'red' })
    }
  }
  return (
    <>
      <Menu withinPortal position="bottom-start">
        <Menu.Target>
          <Tooltip label={t('file')}>
            <ActionIcon variant="default" size={30} aria-label={t('file')}>
              <IconFileCode size={18} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconDownload size={16} />}
            onClick={() => saveFile(flowFileOf(flow, state.steps), fileNameOf(flow.title))}
          >
            {t('export')}
          </Menu.Item>
          <Menu.Item leftSection={<IconUpload size={16} />} onClick={() => input.current?.click()}>
            {t('import')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label={t('import')}
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // The same file may be chosen again.
          currentTarget.value = ''
          if (file) void take(file)
        }}
      />
    </>
  )
}
