"""What is played: rules, rendering and Gymnasium environments."""
