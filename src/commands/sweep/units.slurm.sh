#!/usr/bin/env bash
# Written by `morta sweep --submit slurm`: one task of the array for each unit of the plan. A unit may be run as often as one likes, so whatever
# Slurm requeues or a person submits again does no harm. Change it as your site needs it, and submit it with `sbatch`.
#SBATCH --job-name=@NAME@
#SBATCH --array=0-@LAST@
#SBATCH --requeue
#SBATCH --cpus-per-task=1
#SBATCH --output=@LOGS@/%A-%a.txt
set -euo pipefail
exec @MORTA@ sweep @FILE@ --out @OUT@ @FLAGS@--unit "$SLURM_ARRAY_TASK_ID" --jobs "${SLURM_CPUS_PER_TASK:-1}"
