import { Modal } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { useFocusBack } from './focus-back'

/**
 * A form in a dialog. It is mounted anew each time it is opened, so that it begins with what it is given; with a form
 * that is still fetched (`partOf`) it opens when that is there, with the focus in its first field.
 */
export function FormModal({
  title,
  opened,
  onClose,
  size = 'lg',
  children,
}: {
  title: string
  opened: boolean
  onClose: () => void
  size?: string
  children: ReactNode
}) {
  useFocusBack(opened)
  return (
    <Suspense>
      <Modal opened={opened} onClose={onClose} title={title} size={size}>
        {children}
      </Modal>
    </Suspense>
  )
}
