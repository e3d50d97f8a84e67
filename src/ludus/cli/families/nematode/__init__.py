"""Commands of NematodeBench: training and submitting brains."""
