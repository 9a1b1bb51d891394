import { Button, Modal, Text } from '@mantine/core'
import { commonWords } from '../../ui/common-words.ts'
import { useWords } from '../../ui/words.ts'
import { exportPath } from './queries.ts'
import type { Status } from './rules.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

/** Says what is in the file before it is made: codes are as good as money. */
const ExportDialog = ({ status, onClose }: { status: Status | null; onClose: () => void }) => {
  const { export: words, filters, all } = useWords(voucherWords)
  const common = useWords(commonWords)
  return (
    <Modal opened onClose={onClose} title={words.title} closeButtonProps={{ 'aria-label': common.close }}>
      <div className={classes.form}>
        <Text fw={600}>{status === null ? all : filters[status]}</Text>
        <p className={classes.effect}>{words.more}</p>
        <div className={classes.end}>
          <Button variant="default" onClick={onClose} data-autofocus>
            {common.cancel}
          </Button>
          <Button component="a" href={exportPath(status)} download onClick={() => setTimeout(onClose)}>
            {words.do}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

export default ExportDialog
