#!/usr/bin/env bash
# Written by `morta sweep --submit slurm`: to be run when all units are there (`sbatch --dependency=afterany:JOB`). Of missing ones it says which.
#SBATCH --job-name=@NAME@-collect
#SBATCH --output=@LOGS@/collect-%j.txt
set -euo pipefail
exec @MORTA@ sweep @FILE@ --out @OUT@ @FLAGS@--collect
